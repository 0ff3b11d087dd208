//! Reads by id and lists.

use super::*;

fn ids(answer: &Answer, name: &str) -> Vec<String> {
    let listed = answer.json[name].as_array().expect("a list");
    let id = |object: &Value| object["id"].as_str().unwrap().to_owned();
    listed.iter().map(id).collect()
}

#[test]
fn a_list_shows_the_time_newest_first_page_by_page() {
    let mut bench = Bench::new();
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(bench.charged(&format!("k{number}")));
        bench.wait(60);
    }
    made.reverse();
    let day = json!({ "date": { "from": 1_800_000_000_000_i64, "to": 1_800_000_180_000_i64 } });
    let asked = json!({ "period": day, "limit": 3 });
    let first = bench.post("/v2/charges/list", &asked);
    assert_eq!(ids(&first, "charges"), made[1..4]);
    assert_eq!(
        (&first.json["has_more"], &first.json["count"]),
        (&json!(true), &json!(3))
    );
    let mut next = asked.clone();
    next["starting_after"] = json!(made[3]);
    let second = bench.post("/v2/charges/list", &next);
    assert_eq!(ids(&second, "charges"), made[4..]);
    assert_eq!(second.json["has_more"], false);
}

#[test]
fn each_sort_has_its_own_list_and_each_account_its_own_objects() {
    let mut bench = Bench::new();
    let (charge, held) = (bench.charged("k1"), bench.held("k2"));
    let other = bench.charged("k3");
    let back = bench.post("/v2/refunds/", &refund(&charge, 30, "k4")).id();
    bench.post("/v2/refunds/", &refund(&other, 30, "k5"));
    assert_eq!(
        ids(&bench.post("/v2/authorize/list", &json!({})), "authorize"),
        [held]
    );
    let of_one = json!({ "charges": [charge], "limit": 50 });
    assert_eq!(
        ids(&bench.post("/v2/refunds/list", &of_one), "refunds"),
        [back]
    );
    assert_eq!(
        ids(&bench.post("/v2/charges/list", &json!({})), "charges"),
        [other, charge.clone()]
    );
    bench.secret = "sk_test_other";
    assert!(ids(&bench.post("/v2/charges/list", &json!({})), "charges").is_empty());
    assert_eq!(
        code(&bench.get(&format!("/v2/charges/{charge}"))),
        (404, "1144")
    );
}

#[test]
fn lists_are_asked_for_rightly() {
    let mut bench = Bench::new();
    for body in [json!({ "limit": 51 }), json!({ "limit": 0 })] {
        assert_eq!(code(&bench.post("/v2/charges/list", &body)), (400, "1162"));
    }
    for body in [
        json!({ "period": {} }),
        json!({ "what": 1 }),
        json!({ "charges": "x" }),
    ] {
        assert_eq!(code(&bench.post("/v2/charges/list", &body)), (400, "1103"));
    }
}

#[test]
fn reads_may_lag() {
    let mut bench = Bench::new();
    bench.tap(|tap| tap.config.read_lag = std::time::Duration::from_secs(60));
    let charge = bench.charged("k1");
    let path = format!("/v2/charges/{charge}");
    assert_eq!(code(&bench.get(&path)), (404, "1144"));
    assert!(ids(&bench.post("/v2/charges/list", &json!({})), "charges").is_empty());
    bench.wait(60);
    assert_eq!(bench.get(&path).json["status"], "CAPTURED");
}

#[test]
fn a_planted_copy_is_listed_and_is_no_effect() {
    let mut bench = Bench::new();
    let charge = bench.charged("k1");
    let copy = bench.tap(|tap| tap.copy_record(&charge)).unwrap();
    assert_eq!(
        ids(&bench.post("/v2/charges/list", &json!({})), "charges"),
        [copy, charge]
    );
    assert_eq!(bench.moved().len(), 1);
}
