//! Somebody writes into a worktree while it is removed (`git-facts 4`).
//!
//! A write that said it succeeded, and whose bytes are nowhere afterwards, is lost. git loses some;
//! owl none.

use super::scene::{Dice, Scene, command, rounds, skip};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
enum Writer {
    /// Saves a tracked file, in place.
    Saves,
    /// Makes a new file.
    Creates,
    /// Makes a directory and a file in it.
    MakesDirectory,
    /// Enters, stays a moment, and writes.
    Enters,
    /// Writes elsewhere and renames the file in.
    RenamesIn,
}

const WRITERS: [Writer; 5] = [
    Writer::Saves,
    Writer::Creates,
    Writer::MakesDirectory,
    Writer::Enters,
    Writer::RenamesIn,
];

/// Writes once; whether every call said that it succeeded.
fn write(writer: Writer, place: &Path, outside: &Path, bytes: &[u8]) -> bool {
    match writer {
        Writer::Saves => {
            let path = place.join("d0/f0");
            let opened = fs::OpenOptions::new().write(true).truncate(true).open(path);
            opened.is_ok_and(|mut file| std::io::Write::write_all(&mut file, bytes).is_ok())
        }
        Writer::Creates => fs::write(place.join("d1/idea"), bytes).is_ok(),
        Writer::MakesDirectory => {
            let directory = place.join("d2/new");
            fs::create_dir(&directory).is_ok() && fs::write(directory.join("idea"), bytes).is_ok()
        }
        Writer::Enters => {
            let text = std::str::from_utf8(bytes).expect("it is text");
            let body = "cd \"$1\" 2>/dev/null && sleep 0.01 && printf %s \"$2\" > idea 2>/dev/null";
            let args = ["-c", body, "sh"];
            let mut shell = command("sh");
            shell.args(args).arg(place).arg(text);
            shell.stderr(std::process::Stdio::null());
            shell.status().is_ok_and(|status| status.success())
        }
        Writer::RenamesIn => {
            fs::write(outside, bytes).is_ok() && fs::rename(outside, place.join("moved")).is_ok()
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Score {
    rounds: usize,
    written: usize,
    removed: usize,
    lost: usize,
}

/// The score of each of [`WRITERS`], and of all.
struct Scores([Score; WRITERS.len()]);

impl Scores {
    fn all(&self) -> Score {
        let mut all = Score::default();
        for one in self.0 {
            all.rounds += one.rounds;
            all.written += one.written;
            all.removed += one.removed;
            all.lost += one.lost;
        }
        all
    }
}

fn race(scene: &Scene, rounds: usize, remove: impl Fn(&Scene, &Path)) -> Scores {
    let mut dice = Dice(7);
    let mut scores = Scores([Score::default(); WRITERS.len()]);
    let calm = scene.add("calm");
    let started = Instant::now();
    remove(scene, &calm);
    let mut usual = started.elapsed();
    for round in 0..rounds {
        let name = format!("agent-{round}");
        let place = scene.add(&name);
        let writer = WRITERS[round % WRITERS.len()];
        let bytes = format!("written in round {round}, and nowhere else");
        let micros = u64::try_from(usual.as_micros()).expect("a short time");
        let pause = Duration::from_micros(dice.below(micros));
        // In the store, so that a rename into the tree crosses no mount.
        let outside = scene.main().join(".claude/worktrees/outside");
        let started = Instant::now();
        let written = thread::scope(|scope| {
            let writer = scope.spawn(|| {
                thread::sleep(pause);
                write(writer, &place, &outside, bytes.as_bytes())
            });
            remove(scene, &place);
            usual = (usual * 3 + started.elapsed()) / 4;
            writer.join().expect("it ends")
        });
        let score = &mut scores.0[round % WRITERS.len()];
        score.rounds += 1;
        score.written += usize::from(written);
        score.removed += usize::from(!place.exists());
        if written && !scene.has_bytes(bytes.as_bytes()) {
            score.lost += 1;
            println!("lost: {writer:?} after {pause:?} of {usual:?}");
        }
        // Nothing may be left in the way of the next round.
        scene.try_git(&[
            "worktree",
            "remove",
            "--force",
            "--force",
            &place.to_string_lossy(),
        ]);
        let cleared = command("rm").arg("-rf").arg(&place).status();
        assert!(cleared.expect("rm runs").success());
    }
    assert!(!scene.common().join("owl").exists(), "a trace is left");
    scores
}

fn tell(who: &str, scores: &Scores) {
    let all = ("all".to_owned(), scores.all());
    let each = WRITERS.iter().map(|writer| format!("{writer:?}"));
    for (writer, score) in each.zip(scores.0).chain([all]) {
        println!(
            "{who}: {writer}: {} rounds, {} writes succeeded, {} worktrees removed, {} lost",
            score.rounds, score.written, score.removed, score.lost
        );
    }
}

#[test]
fn owl_loses_no_write_that_succeeded() {
    let scores = race(&Scene::new(300), rounds(20), |scene, _| {
        scene.apply();
    });
    tell("owl", &scores);
    assert_eq!(scores.all().lost, 0);
    assert!(
        scores.all().removed > 0,
        "some rounds must end in a removal"
    );
}

/// What owl is measured against; it loses some, how many is chance.
#[test]
fn git_is_raced_in_the_same_way() {
    let scores = race(&Scene::new(300), rounds(5), |scene, place| {
        scene.try_git(&["worktree", "remove", &place.to_string_lossy()]);
    });
    tell("git worktree remove", &scores);
}

/// Where a move is impossible owl removes in place, and git's own race remains between the last
/// look and the unlink: what that loses is told, and is chance.
#[test]
fn owl_in_place_is_raced_in_the_same_way() {
    let scene = Scene::new(300);
    let Some(bound) = scene.bind_store() else {
        return skip("a store cannot be bind-mounted: owl in place was not raced");
    };
    let scores = race(&scene, rounds(5), |scene, _| {
        scene.apply();
    });
    drop(bound);
    tell("owl in place", &scores);
}
