//! The program.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use crate::client::Client;

const PROGRAM: &str = env!("CARGO_BIN_EXE_payonce-simulator");

/// A process that does not outlive its test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn it_says_where_it_listens_and_answers_there() {
    let mut command = Command::new(PROGRAM);
    command.args(["--port", "0"]).stdout(Stdio::piped());
    let mut program = Program(command.spawn().expect("starts"));
    let mut lines = BufReader::new(program.0.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let address = first
        .strip_prefix("http://")
        .unwrap()
        .split(' ')
        .next()
        .unwrap();
    let mut client = Client::connect(address.parse().unwrap());
    client.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    let page = client.read_reply();
    assert!(page.body.contains(&format!("http://{address}/stripe")));
}

#[test]
fn what_it_does_not_understand_is_an_error() {
    for arguments in [
        &["--prot", "1"][..],
        &["--port"],
        &["--port", "70000"],
        &["1", "2", "3"],
    ] {
        let output = Command::new(PROGRAM)
            .args(arguments)
            .output()
            .expect("runs");
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            String::from_utf8_lossy(&output.stderr).contains("usage"),
            "{arguments:?}"
        );
    }
}
