//! Counts the memory that is allocated, and ends the process where that becomes absurd. Only the thread that measures allocates
//! while it measures, so plain loads and stores suffice, and cost next to nothing.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// What a measured process may hold. Beyond, it is ended: the machine has others to serve.
pub const MOST: usize = 2 << 30;

/// How a process ends that held more.
pub const EXIT: i32 = 70;

/// The system's allocator, counted.
pub struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static MOST_PASSED: AtomicUsize = AtomicUsize::new(0);

/// Begins to look for the peak anew, and gives what is allocated now.
pub fn begin() -> usize {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// The most that was allocated at one time since [`begin`].
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

fn more(bytes: usize) {
    let live = LIVE.load(Relaxed).wrapping_add(bytes);
    LIVE.store(live, Relaxed);
    if live > PEAK.load(Relaxed) {
        PEAK.store(live, Relaxed);
        // A thread that ends while another begins may leave the count below zero, which reads as very much.
        if live > MOST && live < usize::MAX / 2 && MOST_PASSED.load(Relaxed) == 0 {
            MOST_PASSED.store(1, Relaxed);
            std::process::exit(EXIT);
        }
    }
}

fn less(bytes: usize) {
    LIVE.store(LIVE.load(Relaxed).wrapping_sub(bytes), Relaxed);
}

// SAFETY: every call goes to the system's allocator as it came; beside it only numbers change.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller keeps to the contract of this same function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        less(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // While a block moves, both are there.
        more(size);
        less(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
