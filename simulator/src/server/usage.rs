//! The page that explains the simulator.

/// The page; its examples work as they stand.
pub(super) fn page(url: &str) -> String {
    PAGE.replace("{url}", url)
}

const PAGE: &str = include_str!("usage.txt");
