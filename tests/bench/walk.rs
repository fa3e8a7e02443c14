//! What a walk costs for each question, over forms of 10 to 10,000: all asked, and all but the last skipped; and what one
//! step costs in the midst of the largest. Time for each question must not grow with the form.

use ask_user_core::{Action, Dialect, Form, Host, Limits, Step, Walk};
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use serde_json::{Value, json};
use std::{hint::black_box, time::Duration};

fn form(questions: Vec<Value>) -> Form {
    let host = Host {
        limits: Limits { bytes: 1 << 30, questions: Some(100_000), work: 1 << 40, ..Limits::default() },
        ..Host::default()
    };
    Form::read(&json!({ "questions": questions }), Dialect::Detect, &host).expect("a form")
}

fn all_asked(count: usize) -> Form {
    form((0..count).map(|place| json!({ "id": place.to_string(), "text": "Yes?", "answer_type": "boolean" })).collect())
}

fn all_but_the_last_skipped(count: usize) -> Form {
    let question = |place: usize| {
        let mut question = json!({ "id": place.to_string(), "text": "Yes?", "answer_type": "boolean" });
        if place > 0 && place + 1 < count {
            question["when"] = json!({ "question_id": "0", "equals": false });
        }
        question
    };
    form((0..count).map(question).collect())
}

/// From the first step to the result: answers every question that is asked.
fn walk_through(form: Form) -> (Walk, Option<Value>) {
    let mut walk = Walk::new(form);
    while let Step::Asking(_) = walk.step() {
        walk.act(Action::answer(true)).expect("an answer that fits");
    }
    let result = walk.outcome().and_then(|outcome| outcome.result);
    (walk, result)
}

fn walks(criterion: &mut Criterion) {
    for (name, made) in [("all_asked", all_asked as fn(usize) -> Form), ("skipped", all_but_the_last_skipped)] {
        let mut group = criterion.benchmark_group(name);
        for count in [2, 10, 100, 1_000, 10_000] {
            let form = made(count);
            group.throughput(Throughput::Elements(count as u64));
            group.bench_with_input(BenchmarkId::from_parameter(count), &form, |bencher, form| {
                bencher.iter_batched(|| form.clone(), |form| walk_through(black_box(form)), BatchSize::LargeInput);
            });
        }
        group.finish();
    }
}

fn steps(criterion: &mut Criterion) {
    let mut walk = Walk::new(all_asked(10_000));
    for _ in 0..5_000 {
        walk.act(Action::answer(true)).expect("an answer that fits");
    }
    // A copy has no room to grow: its first step would pay for the room of all the next.
    let copy = || {
        let mut walk = walk.clone();
        walk.act(Action::answer(true)).expect("an answer that fits");
        walk
    };
    let mut group = criterion.benchmark_group("step_of_10000");
    group.bench_function("look", |bencher| bencher.iter(|| black_box(json!(walk.step()))));
    group.bench_function("answer", |bencher| {
        let act = |walk: &mut Walk| walk.act(Action::answer(true));
        bencher.iter_batched_ref(copy, act, BatchSize::NumIterations(16));
    });
    group.bench_function("back", |bencher| {
        bencher.iter_batched_ref(copy, |walk| walk.act(Action::Back), BatchSize::NumIterations(16));
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    targets = walks, steps
}
criterion_main!(benches);
