//! Measures one family in a process of its own, so that one that hangs or takes all memory does not stop the others.

use crate::{calls::Outcome, clock, families::Family, memory};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

/// A family is measured at these shares of its largest size.
pub const SHARES: [usize; 4] = [8, 4, 2, 1];
/// How long one size may take, its input included.
const PATIENCE: Duration = Duration::from_secs(10);
/// A size that takes as long as this tells enough: no larger one is tried.
const ENOUGH: Duration = Duration::from_millis(1_500);
/// A call is repeated until it has taken this long in all, or was done so often: the best counts.
const REPEATS: (Duration, usize) = (Duration::from_millis(120), 7);
/// The stack of a thread where nobody says otherwise, as on a server.
const STACK: usize = 2 << 20;

/// From how many bytes on glibc may ask the system for a block, or give it back: never.
const LEAST: &str = "8589934592";

/// What was measured of one size.
#[derive(Clone, Debug)]
pub struct Point {
    /// The bytes of the hostile input.
    pub bytes: usize,
    /// The best time.
    pub time: Duration,
    /// The most memory above what the input takes, in bytes.
    pub memory: usize,
    /// The bytes of the refusal.
    pub refusal: usize,
    /// `accepted`, or the code of the refusal.
    pub said: String,
}

/// What was measured of a family.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The sizes that came to an end, from the smallest.
    pub points: Vec<Point>,
    /// Why the next one did not.
    pub broken: Option<String>,
    /// Whether larger ones were not tried, since the last took so long.
    pub stopped: bool,
}

/// In the child: measures every size, and writes a line for each.
pub fn child(family: &'static Family, short: bool) {
    let shares = if short { &SHARES[..1] } else { &SHARES[..] };
    let measuring = thread::Builder::new().stack_size(STACK).spawn(move || {
        for share in shares {
            let Some(time) = size(family, family.largest / share, short) else { return };
            if time > ENOUGH {
                return;
            }
        }
    });
    measuring.expect("a thread").join().expect("no panic");
}

fn size(family: &Family, size: usize, short: bool) -> Option<Duration> {
    let task = match (family.make)(size) {
        Ok(task) => task,
        Err(code) => {
            say(&format!("0 0 0 0 {code} (the request)"));
            return Some(Duration::ZERO);
        }
    };
    let (most, times) = if short { (Duration::ZERO, 1) } else { REPEATS };
    let (mut best, mut memory, mut all) = (Duration::MAX, 0, Duration::ZERO);
    let mut outcome = None;
    for again in 0..times {
        let (job, before) = ((task.fresh)(), memory::begin());
        let begun = clock::now();
        outcome = Some(job());
        let took = clock::now().saturating_sub(begun);
        memory = memory.max(memory::peak().saturating_sub(before));
        (best, all) = (best.min(took), all + took);
        // The first pays for the memory; but what is slow anyway is not done twice.
        if all > most && (again > 0 || all > most * 4) {
            break;
        }
    }
    let Outcome { said, refusal } = outcome?;
    say(&format!("{} {} {memory} {refusal} {said}", task.bytes, best.as_nanos()));
    Some(best)
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).expect("somebody who reads");
}

/// In the parent: has the family at this place of the list measured.
pub fn family(place: usize, short: bool) -> Measured {
    let mut command = Command::new(std::env::current_exe().expect("the program's own path"));
    command.args(["--family", &place.to_string()]).args(short.then_some("--short"));
    // Memory that was once taken stays: the time of the system's own work with pages, which grows in leaps, is not the core's.
    command.envs([("MALLOC_ARENA_MAX", "1"), ("MALLOC_MMAP_THRESHOLD_", LEAST), ("MALLOC_TRIM_THRESHOLD_", LEAST)]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a child");
    let lines = BufReader::new(child.stdout.take().expect("what the child writes")).lines();
    let (send, receive) = mpsc::channel();
    thread::spawn(move || lines.map_while(Result::ok).all(|line| send.send(line).is_ok()));
    let mut measured = Measured { points: Vec::new(), broken: None, stopped: false };
    loop {
        match receive.recv_timeout(PATIENCE) {
            Ok(line) => measured.points.extend(point(&line)),
            Err(RecvTimeoutError::Timeout) => {
                child.kill().expect("a child that can be ended");
                child.wait().expect("a child that has ended");
                measured.broken = Some(format!("over {} s", PATIENCE.as_secs()));
                return measured;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    measured.broken = broken(&mut child);
    let slow = measured.points.last().is_some_and(|point| point.time > ENOUGH);
    measured.stopped = slow && !short && measured.points.len() < SHARES.len();
    measured
}

/// Why a child did not end well.
fn broken(child: &mut Child) -> Option<String> {
    let status = child.wait().expect("a child that has ended");
    match status.code() {
        Some(0) => None,
        Some(memory::EXIT) => Some(format!("over {} GB", memory::MOST >> 30)),
        Some(_) => Some("a panic".to_owned()),
        None => Some("a stack that overflows".to_owned()),
    }
}

fn point(line: &str) -> Option<Point> {
    let mut words = line.splitn(5, ' ');
    let mut number = || words.next()?.parse::<u64>().ok();
    let (bytes, time, memory, refusal) = (number()?, number()?, number()?, number()?);
    Some(Point {
        bytes: bytes as usize,
        time: Duration::from_nanos(time),
        memory: memory as usize,
        refusal: refusal as usize,
        said: words.next()?.to_owned(),
    })
}
