//! Standard output and standard error, and what a closed one means.

use super::failure::Failure;
use anstream::AutoStream;
use std::io::{self, ErrorKind, Write};

/// Standard output, with colour where it belongs.
pub(super) fn stdout() -> AutoStream<io::StdoutLock<'static>> {
    AutoStream::auto(io::stdout().lock())
}

/// Whether colour belongs on standard output.
pub(super) fn color() -> anstream::ColorChoice {
    AutoStream::choice(&io::stdout())
}

/// Standard error, with colour where it belongs.
pub(super) fn stderr() -> AutoStream<io::StderrLock<'static>> {
    AutoStream::auto(io::stderr().lock())
}

/// Writes data; a reader that has gone away is no error (`owl plan | head`).
pub(super) fn write(draw: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = stdout();
    match draw(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(why) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(why) => Err(Failure::from(
            anyhow::Error::new(why).context("standard output could not be written"),
        )),
    }
}

/// Says something to the user. Nothing can be done where even that fails.
pub(super) fn say(draw: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = stderr();
    drop(draw(&mut out).and_then(|()| out.flush()));
}

/// A stream that takes everything, even when nobody reads it any more: what apply has begun is
/// never cut short by a closed pipe or a full disk.
pub(super) struct Unbreakable<W> {
    to: W,
    broken: Option<io::Error>,
}

impl<W: Write> Unbreakable<W> {
    /// Wraps a stream.
    pub(super) fn new(to: W) -> Self {
        Self { to, broken: None }
    }

    /// Why it broke, unless the reader just went away.
    pub(super) fn into_broken(self) -> Option<io::Error> {
        self.broken
            .filter(|why| why.kind() != ErrorKind::BrokenPipe)
    }
}

impl<W: Write> Write for Unbreakable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.broken.is_none() {
            self.broken = self.to.write_all(bytes).err();
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.broken.is_none() {
            self.broken = self.to.flush().err();
        }
        Ok(())
    }
}
