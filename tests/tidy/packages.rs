//! What each package may need.

use std::fs;
use std::process::Command;

use crate::files::{adapters, root, sources};

#[test]
fn every_package_inherits_the_lints_and_is_called_after_its_folder() {
    let adapters = adapters().into_iter();
    let mut folders: Vec<String> = adapters.map(|name| format!("providers/{name}")).collect();
    folders.push("simulation".to_owned());
    folders.push("simulator".to_owned());
    for folder in folders {
        let manifest = fs::read_to_string(root().join(&folder).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{folder} has lints of its own"
        );
        let name = folder.rsplit('/').next().unwrap();
        assert!(
            manifest.contains(&format!("name = \"payonce-{name}\"")),
            "{folder}"
        );
    }
}

/// The packages that a package needs when it is used.
fn dependencies(arguments: &[&str]) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "-e",
            "normal",
            "--offline",
            "--locked",
            "--prefix",
            "none",
        ])
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let text = String::from_utf8(tree.stdout).unwrap();
    text.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// An adapter must not be able to reach HTTP, a database or a runtime.
#[test]
fn the_seam_and_the_adapters_need_no_runtime_no_http_and_no_database() {
    let mut packages = vec![vec![
        "-p".to_owned(),
        "payonce".to_owned(),
        "--no-default-features".to_owned(),
    ]];
    packages.extend(
        adapters()
            .into_iter()
            .map(|name| vec!["-p".to_owned(), format!("payonce-{name}")]),
    );
    for arguments in packages {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let found = dependencies(&arguments);
        assert!(found.iter().any(|name| name == "payonce"));
        for never in [
            "tokio", "reqwest", "hyper", "rustls", "ring", "rusqlite", "backoff", "rustix",
        ] {
            assert!(
                !found.iter().any(|name| name == never),
                "{arguments:?} needs {never}"
            );
        }
    }
}

/// What an adapter itself may use: nothing that does I/O, keeps time, or draws numbers.
#[test]
fn an_adapter_uses_only_what_reads_and_writes_texts() {
    let allowed = [
        "payonce",
        "base64",
        "form_urlencoded",
        "http",
        "secrecy",
        "serde",
        "serde_json",
        // Signatures are computed from the stored body.
        "sha2",
        "time",
    ];
    for name in adapters() {
        let package = format!("payonce-{name}");
        let direct = dependencies(&["-p", &package, "--depth", "1"]);
        for used in direct.iter().filter(|used| **used != package) {
            assert!(allowed.contains(&used.as_str()), "{package} uses {used}");
        }
    }
}

/// Shared code would let one mistake cancel another.
#[test]
fn the_simulator_does_not_know_payonce() {
    let found = dependencies(&["-p", "payonce-simulator"]);
    assert!(!found.iter().any(|name| name == "payonce"));
    for (path, text) in sources("simulator/src") {
        assert!(
            !text.contains("payonce_key"),
            "{} knows our names",
            path.display()
        );
    }
}
