//! A hundred callers of one intent in four processes on one ledger file.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;

use payonce::OperationKind;
use payonce_simulator::{Fault, When};

use super::shop::Shop;
use super::{SHOPS, told_at_once};
use crate::crash::Scene;
use crate::crash::child::{Point, SetUp};
use crate::world::word;

const PROCESSES: usize = 4;
const CALLERS: usize = 25;
const GO: &str = "PAYONCE_TEST_CROWD";

/// Does nothing in an ordinary test run.
#[test]
fn runs_only_as_a_child() {
    if std::env::var(GO).is_err() {
        return;
    }
    let set_up = Arc::new(SetUp::from_env());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = set_up.client(Point::Nowhere);
        println!("\nready");
        let mut go = String::new();
        std::io::stdin().read_line(&mut go).unwrap();
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                let (client, set_up) = (client.clone(), Arc::clone(&set_up));
                tokio::spawn(async move { set_up.call(&client).await })
            })
            .collect();
        for caller in callers {
            println!("\nheard: {}", word(&caller.await.unwrap()));
        }
    });
}

/// Starts the processes, lets them go at once, and gives what each of them said. `when_waiting`
/// happens when the first of them says that it waits.
fn crowd(scene: &Scene, when_waiting: Option<Box<dyn FnOnce() + '_>>) -> Vec<String> {
    let mut children = Vec::new();
    for _ in 0..PROCESSES {
        let mut child = scene
            .command("gateways::crowd::runs_only_as_a_child")
            .env(GO, "1")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin: ChildStdin = child.stdin.take().unwrap();
        let stdout: ChildStdout = child.stdout.take().unwrap();
        children.push((child, stdin, BufReader::new(stdout)));
    }
    for (_, _, stdout) in &mut children {
        let mut lines = stdout.lines();
        assert!(lines.any(|line| line.unwrap() == "ready"));
    }
    for (_, stdin, _) in &mut children {
        stdin.write_all(b"go\n").unwrap();
    }
    let mut said = vec![String::new(); PROCESSES];
    if let Some(happens) = when_waiting {
        let (first, (_, _, stdout)) = (&mut said[0], &mut children[0]);
        while !first.ends_with("claim: busy\n") {
            assert_ne!(
                stdout.read_line(first).unwrap(),
                0,
                "it never waited: {first}"
            );
        }
        happens();
    }
    for (all, (mut child, _, mut stdout)) in said.iter_mut().zip(children) {
        stdout.read_to_string(all).unwrap();
        assert!(child.wait().unwrap().success());
    }
    said
}

async fn one_effect(shop: &'static dyn Shop, kind: OperationKind) {
    let scene = Scene::new(shop, kind).await;
    let before = scene.gateway.posts().len();
    // Long enough for every process to come while the first one's send is under way.
    scene.gateway.faults().push(Fault::Delay {
        when: When::Before,
        ms: 1_500,
    });
    let said = crowd(&scene, None);
    let count = |text: &str| {
        said.iter()
            .map(|said| said.matches(text).count())
            .sum::<usize>()
    };
    let name = format!("{}, {kind}: {said:?}", shop.name());
    assert_eq!(count("heard: succeeded"), PROCESSES * CALLERS, "{name}");
    assert_eq!(scene.effects().len(), 1, "{name}");
    assert_eq!(scene.gateway.posts().len() - before, 1, "{name}");
    // They did meet: one had it, and at least another one waited for it.
    assert_eq!(count("claim: ours"), 1, "{name}");
    let waited = said.iter().filter(|said| said.contains("claim: busy"));
    assert!(waited.count() >= 1, "{name}");
}

#[tokio::test]
async fn a_hundred_callers_in_four_processes_charge_once() {
    for shop in SHOPS {
        one_effect(shop, OperationKind::Charge).await;
    }
}

#[tokio::test]
async fn a_hundred_callers_in_four_processes_refund_once() {
    for shop in told_at_once() {
        one_effect(shop, OperationKind::Refund).await;
    }
}

/// The owner dies while the others wait for it: one of them takes its place, with the same key,
/// or asks. None of them makes the payment anew.
#[tokio::test]
async fn when_the_owner_is_killed_the_waiting_ones_move_nothing_twice() {
    for shop in SHOPS {
        for point in [Point::AfterCommit, Point::AfterSend] {
            let scene = Scene::new(shop, OperationKind::Charge).await;
            if point == Point::AfterSend {
                scene.gateway.faults().push(Fault::Delay {
                    when: When::After,
                    ms: 600_000,
                });
            }
            let mut owner = scene.park_at(point);
            let said = crowd(&scene, Some(Box::new(|| scene.kill(&mut owner))));
            let (word, effects) = scene.expected(point);
            let name = format!("{}, {}: {said:?}", shop.name(), point.name());
            let heard = format!("heard: {word}\n");
            let heard: usize = said.iter().map(|said| said.matches(&heard).count()).sum();
            assert_eq!(heard, PROCESSES * CALLERS, "{name}");
            assert_eq!(scene.effects().len(), effects, "{name}");
        }
    }
}
