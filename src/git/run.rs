//! Runs one child to its end or to its limit.
//!
//! Input: a command with its own process group and piped output. Output: how it ended.
//!
//! Invariants:
//! - It returns within the limit and [`GRACE`] twice, whoever holds a pipe open: readers are threads
//!   that are left behind if need be.
//! - A group is signalled only while its leader is not reaped, so that its number cannot have
//!   passed to somebody else. TERM first, so that git removes its lock files; then KILL.
//! - Standard output is whole or an error. Standard error is for messages and is cut at
//!   [`MESSAGES`].

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a child may take to end after TERM, and the system to bury it after KILL.
const GRACE: Duration = Duration::from_secs(2);

/// How much of standard error is kept.
const MESSAGES: usize = 64 << 10;

/// What a child left behind.
pub(super) struct Output {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// How a call ended.
pub(super) enum Ended {
    Exited(Output),
    TimedOut,
    TooMuch,
}

/// Runs the command with `stdin`, at most `cap` bytes of standard output, and for at most `limit`.
pub(super) fn run(
    command: &mut Command,
    stdin: Option<Vec<u8>>,
    cap: usize,
    limit: Duration,
) -> io::Result<Ended> {
    let deadline = Instant::now() + limit;
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    let ended = follow(&mut child, pid, stdin, cap, deadline);
    let reaped = match &ended {
        Ok(Followed::Whole { .. }) => {
            // What it has left in the background would go on holding what it inherited.
            signal(pid, Signal::KILL);
            child.wait().map(Some)
        }
        Ok(Followed::TimedOut | Followed::TooMuch) | Err(_) => end(&mut child, pid),
    };
    match (ended?, reaped?) {
        (Followed::Whole { stdout, stderr }, Some(status)) => Ok(Ended::Exited(Output {
            status,
            stdout,
            stderr,
        })),
        (Followed::Whole { .. } | Followed::TimedOut, _) => Ok(Ended::TimedOut),
        (Followed::TooMuch, _) => Ok(Ended::TooMuch),
    }
}

enum Followed {
    Whole { stdout: Vec<u8>, stderr: Vec<u8> },
    TimedOut,
    TooMuch,
}

enum Piece {
    Stdout(io::Result<Option<Vec<u8>>>),
    Stderr(io::Result<Vec<u8>>),
}

/// Collects both streams and waits for the exit, without reaping.
fn follow(
    child: &mut Child,
    pid: Pid,
    stdin: Option<Vec<u8>>,
    cap: usize,
    deadline: Instant,
) -> io::Result<Followed> {
    let (sender, pieces) = channel();
    start(child, stdin, cap, &sender)?;
    drop(sender);
    let (mut stdout, mut stderr) = (None, None);
    while stdout.is_none() || stderr.is_none() {
        match next(&pieces, deadline)? {
            Some(Piece::Stdout(read)) => match read? {
                Some(bytes) => stdout = Some(bytes),
                None => return Ok(Followed::TooMuch),
            },
            Some(Piece::Stderr(read)) => stderr = Some(read?),
            None => return Ok(Followed::TimedOut),
        }
    }
    match (stdout, stderr) {
        (Some(stdout), Some(stderr)) if exits_before(pid, deadline)? => {
            Ok(Followed::Whole { stdout, stderr })
        }
        (Some(_) | None, _) => Ok(Followed::TimedOut),
    }
}

fn next(pieces: &Receiver<Piece>, deadline: Instant) -> io::Result<Option<Piece>> {
    let left = deadline.saturating_duration_since(Instant::now());
    match pieces.recv_timeout(left) {
        Ok(piece) => Ok(Some(piece)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => Err(io::Error::other("a reader thread ended early")),
    }
}

fn start(
    child: &mut Child,
    stdin: Option<Vec<u8>>,
    cap: usize,
    sender: &Sender<Piece>,
) -> io::Result<()> {
    if let (Some(bytes), Some(mut pipe)) = (stdin, child.stdin.take()) {
        spawn(move || {
            // A child that does not read to the end tells by its exit code why.
            drop(pipe.write_all(&bytes));
        })?;
    }
    if let Some(pipe) = child.stdout.take() {
        let sender = sender.clone();
        spawn(move || drop(sender.send(Piece::Stdout(read_whole(pipe, cap)))))?;
    }
    if let Some(pipe) = child.stderr.take() {
        let sender = sender.clone();
        spawn(move || drop(sender.send(Piece::Stderr(read_start(pipe)))))?;
    }
    Ok(())
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name("git-pipe".to_owned())
        .stack_size(64 << 10)
        .spawn(work)
        .map(drop)
}

/// The whole stream, or nothing if it goes over the cap.
fn read_whole(pipe: impl Read, cap: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    let most = u64::try_from(cap).map_err(io::Error::other)?;
    pipe.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= cap).then_some(bytes))
}

/// The start of the stream; the rest is read and dropped, so that the child never blocks on it.
fn read_start(mut pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    (&mut pipe).take(MESSAGES as u64).read_to_end(&mut bytes)?;
    io::copy(&mut pipe, &mut io::sink())?;
    Ok(bytes)
}

/// Kills the group and reaps the child; `None` if the system does not let go of it.
fn end(child: &mut Child, pid: Pid) -> io::Result<Option<ExitStatus>> {
    signal(pid, Signal::TERM);
    exits_before(pid, Instant::now() + GRACE)?;
    signal(pid, Signal::KILL);
    if exits_before(pid, Instant::now() + GRACE)? {
        return child.wait().map(Some);
    }
    Ok(None)
}

fn signal(group: Pid, signal: Signal) {
    // It fails only if nobody is left in the group, which is what is wanted.
    let _ = kill_process_group(group, signal);
}

/// Waits until the child has exited, but does not reap it.
fn exits_before(pid: Pid, deadline: Instant) -> io::Result<bool> {
    let peek = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let mut pause = Duration::from_micros(20);
    loop {
        match waitid(WaitId::Pid(pid), peek) {
            Ok(Some(_)) => return Ok(true),
            Ok(None) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if Instant::now() >= deadline {
            return Ok(false);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}
