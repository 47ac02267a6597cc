//! A pager for what does not fit on the screen, as git has one.
//!
//! Input: finished text. Output: the text, through the user's pager where a person looks at it and
//! it is longer than the screen, else straight. Invariant: nothing waits for a pager but the text
//! itself; without one that starts, the text is printed.

use super::settings::{Paging, Settings};
use super::stream;
use anstream::ColorChoice;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};

/// Writes what `draw` draws.
pub(super) fn write(
    settings: &Settings,
    draw: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), super::failure::Failure> {
    let Some(paging) = &settings.paging else {
        return stream::write(draw);
    };
    let mut text = Vec::new();
    // Memory takes everything.
    drop(draw(&mut text));
    if text
        .split(|byte| *byte == b'\n')
        .nth(paging.height)
        .is_some()
        && let Some(mut child) = start(paging)
    {
        if let Some(mut to) = child.stdin.take() {
            // A reader that leaves early is no error.
            drop(to.write_all(&coloured(text)));
        }
        // Its end is the end of the reading, whatever it says.
        drop(child.wait());
        return Ok(());
    }
    stream::write(|to| to.write_all(&text))
}

/// The text as this screen is to have it.
fn coloured(text: Vec<u8>) -> Vec<u8> {
    if stream::color() == ColorChoice::Never {
        anstream::adapter::strip_bytes(&text).into_vec()
    } else {
        text
    }
}

/// The pager's words are split at white space: no shell reads them.
fn start(paging: &Paging) -> Option<Child> {
    let mut words = paging.command.split_whitespace();
    #[expect(
        clippy::disallowed_methods,
        reason = "the user's own pager, which changes nothing"
    )]
    let mut command = Command::new(words.next()?);
    command.args(words).stdin(Stdio::piped());
    if paging.sets_less {
        // As git does: leave where it fits, pass colour, leave the text on the screen.
        command.env("LESS", "FRX");
    }
    command.spawn().ok()
}
