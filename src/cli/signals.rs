//! Ctrl-C and TERM: the first ends the run after the current row, the second at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Which signal has come in.
pub(super) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Begins to listen. Before this, a signal ends owl at once, which harms nothing: it has only
    /// been looking.
    pub(super) fn listen() -> io::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        let which = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the shutdown must see the flag as it was before this signal.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&came))?;
            flag::register(signal, Arc::clone(&came))?;
            let number = usize::try_from(signal).map_err(io::Error::other)?;
            flag::register_usize(signal, Arc::clone(&which), number)?;
        }
        Ok(Self(which))
    }

    /// The signal that came in, if one did.
    pub(super) fn caught(&self) -> Option<i32> {
        match self.0.load(Ordering::SeqCst) {
            0 => None,
            signal => i32::try_from(signal).ok(),
        }
    }
}
