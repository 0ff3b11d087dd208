//! Every number that a history draws comes from its seed.
//!
//! Each draw has a label of its own, and its numbers follow from the seed and the label only. So
//! one draw can be left out, to shrink a history, and those of other labels stay as they were.

/// Numbers of one label: `SplitMix64`, <https://prng.di.unimi.it/splitmix64.c>.
#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn of(seed: u64, label: &str) -> Self {
        let mut hash = Hash::default();
        hash.add(&seed.to_be_bytes());
        hash.add(label.as_bytes());
        let mut dice = Self(hash.0);
        dice.draw();
        dice
    }

    pub(crate) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.draw().checked_rem(limit).unwrap_or(0)
    }

    /// A number from `least` to `most`, both included.
    pub(crate) fn between(&mut self, least: u64, most: u64) -> u64 {
        let choices = most.saturating_sub(least).saturating_add(1);
        least.saturating_add(self.below(choices))
    }

    /// Whether it happens, so many times in a thousand.
    pub(crate) fn chance(&mut self, per_mille: u64) -> bool {
        self.below(1000) < per_mille
    }

    /// One of several.
    pub(crate) fn pick<T: Copy>(&mut self, first: T, others: &[T]) -> T {
        let count = u64::try_from(others.len()).unwrap_or(0).saturating_add(1);
        let place = usize::try_from(self.below(count)).unwrap_or(0);
        place
            .checked_sub(1)
            .and_then(|place| others.get(place).copied())
            .unwrap_or(first)
    }

    /// The place of one among weights. `None`: they are all 0.
    pub(crate) fn weigh(&mut self, weights: &[u64]) -> Option<usize> {
        let sum = weights.iter().copied().fold(0, u64::saturating_add);
        let mut left = self.below(sum);
        for (place, weight) in weights.iter().enumerate() {
            match left.checked_sub(*weight) {
                Some(rest) if sum > 0 => left = rest,
                _ if sum > 0 => return Some(place),
                _ => return None,
            }
        }
        None
    }
}

/// FNV-1a, 64 bits: the same everywhere and for ever, which the standard library's is not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hash(pub(crate) u64);

impl Default for Hash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_always_draws_the_same_and_another_label_does_not() {
        let three = |label| {
            let mut dice = Dice::of(7, label);
            [dice.draw(), dice.draw(), dice.draw()]
        };
        assert_eq!(three("a"), three("a"));
        assert_ne!(three("a"), three("b"));
    }

    #[test]
    fn a_weight_of_nothing_is_never_drawn() {
        let mut dice = Dice::of(1, "w");
        for _ in 0..1000 {
            assert!(matches!(dice.weigh(&[0, 5, 0, 5]), Some(1 | 3)));
        }
        assert_eq!(dice.weigh(&[0, 0]), None);
    }
}
