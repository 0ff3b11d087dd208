//! Mistakes that can be planted, to see that the checks find them.

macro_rules! plants {
    ($($plant:ident = $name:literal),* $(,)?) => {
        /// A mistake that can be planted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Plant { $(#[doc = $name] $plant),* }

        impl Plant {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$plant),*];

            /// What it is.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$plant => $name),* }
            }
        }
    };
}

plants! {
    SendBeforeClaim = "send before claim",
    NewKeyOnRetry = "new key on retry",
    LapsedIsUnsent = "lease expiry resends blindly",
    NoFencing = "no fencing",
    RetentionIgnored = "retention ignored",
    AbsentIsFailed = "absent taken as failed",
    UnsentStays = "unsent does not yield to attempt 2",
    DeclineOnResend = "decline on a resend settles",
    SleepsPast = "owner sleeps past the key's life and sends",
    BaselineBeforeClaim = "baseline read before the claim",
    GuardOutside = "guard checked outside the lock",
    RolledBack = "batch acknowledges rolled-back rows",
    ClockTrusted = "clock trusted after a step back",
    PagePayable = "second attempt allowed while a page is payable",
    CrashedIsUnsent = "a crashed owner's claim not counted as a send",
    LockedByParent = "two attempts of one reference locked under different parents",
    FrozenSends = "a frozen reference's claimed attempt still sends",
}
