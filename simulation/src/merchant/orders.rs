//! What is to be paid, and what is done to the payment afterwards. It follows from the seed, so
//! that every caller means the same.

use std::sync::{Mutex, MutexGuard, PoisonError};

use payonce::{Currency, Money, OperationKind, Payment};

use crate::dice::Dice;
use crate::world::{Card, Shop, World};

/// What is to be paid.
pub(crate) struct Order {
    pub(crate) name: String,
    /// Only reserved at first.
    pub(crate) reserved: bool,
    pub(crate) money: Money,
    shops: Vec<Shop>,
    seed: u64,
    /// Another attempt goes to another account.
    fails_over: bool,
    pub(crate) own_key: bool,
    book: Mutex<Book>,
}

/// What its callers know.
#[derive(Default)]
struct Book {
    attempt: u32,
    paid: Option<Payment>,
    captured: Option<Payment>,
}

/// An amount in hundredths. It is never 0, so it is always one.
fn money(minor: u64) -> Money {
    let minor = i64::try_from(minor.max(1)).unwrap_or(1);
    Money::from_minor(minor, Currency::SAR).unwrap_or_else(|_| fallback())
}

/// Nothing refuses an amount above 0; but without it this would have to panic.
fn fallback() -> Money {
    money(100)
}

impl Order {
    pub(crate) fn of(world: &World, number: u64) -> Self {
        let name = format!("order-{number}");
        let mut dice = Dice::of(world.seed, &name);
        let mut shops = world.plan.shops.clone();
        let first = usize::try_from(dice.below(8)).unwrap_or(0);
        let count = shops.len().max(1);
        shops.rotate_left(first.checked_rem(count).unwrap_or(0));
        Self {
            reserved: dice.chance(500),
            money: money(dice.between(20, 900).saturating_mul(100)),
            shops,
            seed: world.seed,
            fails_over: dice.chance(500),
            own_key: dice.chance(100),
            book: Mutex::default(),
            name,
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The attempt that callers make now.
    pub(crate) fn attempt(&self) -> u32 {
        self.book().attempt.max(1)
    }

    pub(crate) fn paid(&self) -> Option<Payment> {
        self.book().paid.clone()
    }

    /// The payment that a refund names: where captures are refunded, that of the capture.
    pub(crate) fn refundable(&self) -> Option<Payment> {
        let book = self.book();
        book.captured.clone().or_else(|| book.paid.clone())
    }

    pub(crate) fn is_paid(&self, payment: Payment) {
        self.book().paid = Some(payment);
    }

    pub(crate) fn is_captured(&self, payment: Payment) {
        self.book().captured = Some(payment);
    }

    /// This attempt came to nothing: the next one may follow.
    pub(crate) fn failed(&self, attempt: u32) {
        let mut book = self.book();
        if book.attempt.max(1) == attempt && attempt < 4 {
            book.attempt = attempt.saturating_add(1);
        }
    }

    /// The account of an attempt.
    pub(crate) fn shop(&self, attempt: u32) -> Shop {
        let place = usize::try_from(attempt.saturating_sub(1)).unwrap_or(0);
        let place = if self.fails_over { place } else { 0 };
        let place = place.checked_rem(self.shops.len()).unwrap_or(0);
        self.shops.get(place).copied().unwrap_or(Shop::Stripe)
    }

    /// The card of an attempt.
    pub(crate) fn card(&self, attempt: u32) -> Card {
        let mut dice = Dice::of(self.seed, &format!("card/{}/{attempt}", self.name));
        match dice.below(20) {
            0..13 => Card::Pays,
            13..16 => Card::PaysToo,
            16..18 => Card::Declines,
            _ => Card::Asks,
        }
    }
}

/// A capture, refund or void.
pub(crate) struct Child {
    pub(crate) name: String,
    pub(crate) kind: OperationKind,
    pub(crate) money: Money,
}

impl Child {
    pub(crate) fn of(world: &World, order: &Order, number: u64) -> Self {
        let mut dice = Dice::of(world.seed, &format!("child/{}/{number}", order.name));
        let kind = match (order.reserved, dice.below(10)) {
            (true, 0..6) if number == 1 => OperationKind::Capture,
            (true, 0..2) => OperationKind::Capture,
            (_, 9) => OperationKind::Void,
            _ => OperationKind::Refund,
        };
        let whole = u64::try_from(order.money.minor()).unwrap_or(1);
        let part = match dice.below(10) {
            0..3 => whole,
            3..6 => whole / 2,
            6..9 => whole.saturating_mul(7) / 10,
            _ => whole.saturating_add(100),
        };
        Self {
            name: format!("{}/{kind}-{number}", order.name),
            kind,
            money: money(part),
        }
    }
}
