use crate::gateway::Gateway;
use crate::replies::{SECRET, kit};

fn good() -> Gateway {
    Gateway::new("main", SECRET)
}

#[test]
fn a_good_adapter_passes() {
    let report = kit(good())
        .twin(Gateway::new("main", "sk_test_other"))
        .check();
    report.assert_ok();
}
