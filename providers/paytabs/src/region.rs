//! Where a profile lives. A request to another region is refused with 401.

/// The region of a profile, as the dashboard's address shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Region {
    /// `https://secure.paytabs.sa`
    SaudiArabia,
    /// `https://secure.paytabs.com`
    Emirates,
    /// `https://secure-egypt.paytabs.com`
    Egypt,
    /// `https://secure-oman.paytabs.com`
    Oman,
    /// `https://secure-jordan.paytabs.com`
    Jordan,
    /// `https://secure-kuwait.paytabs.com`
    Kuwait,
    /// `https://secure-iraq.paytabs.com`
    Iraq,
    /// `https://secure-morocco.paytabs.com`
    Morocco,
    /// `https://secure-doha.paytabs.com`
    Qatar,
    /// `https://secure-global.paytabs.com`
    Global,
}

impl Region {
    /// The addresses of
    /// <https://docs.paytabs.com/manuals/PT-API-Endpoints/Integration-Types-Manuals/Invoices-APIs/Invoices-Step-7-Manage-Transactions/Invoices-Step-7-Query-Transaction>.
    pub(crate) const fn base_url(self) -> &'static str {
        match self {
            Self::SaudiArabia => "https://secure.paytabs.sa",
            Self::Emirates => "https://secure.paytabs.com",
            Self::Egypt => "https://secure-egypt.paytabs.com",
            Self::Oman => "https://secure-oman.paytabs.com",
            Self::Jordan => "https://secure-jordan.paytabs.com",
            Self::Kuwait => "https://secure-kuwait.paytabs.com",
            Self::Iraq => "https://secure-iraq.paytabs.com",
            Self::Morocco => "https://secure-morocco.paytabs.com",
            Self::Qatar => "https://secure-doha.paytabs.com",
            Self::Global => "https://secure-global.paytabs.com",
        }
    }
}

#[cfg(test)]
mod tests {
    use payonce::provider::Provider;

    use super::*;
    use crate::PayTabs;

    const REGIONS: [Region; 10] = [
        Region::SaudiArabia,
        Region::Emirates,
        Region::Egypt,
        Region::Oman,
        Region::Jordan,
        Region::Kuwait,
        Region::Iraq,
        Region::Morocco,
        Region::Qatar,
        Region::Global,
    ];

    /// The same profile number in two regions is two merchants.
    #[test]
    fn another_region_profile_or_mode_is_another_account() {
        let mut ids: Vec<String> = REGIONS
            .iter()
            .map(|region| PayTabs::live(*region, 1, "key-1").account().id())
            .map(|id| id.as_str().to_owned())
            .collect();
        for other in [
            PayTabs::live(Region::Egypt, 2, "key-1"),
            PayTabs::test(Region::Egypt, 1, "key-1"),
            PayTabs::live(Region::Egypt, 1, "key-1").base_url("https://secure.cuzdan.az/"),
        ] {
            ids.push(other.account().id().as_str().to_owned());
        }
        let all = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), all, "{ids:?}");
        let rotated = PayTabs::live(Region::Egypt, 1, "key-2").account();
        assert!(ids.contains(&rotated.id().as_str().to_owned()));
    }
}
