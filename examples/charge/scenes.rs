//! What goes wrong, a file for each theme.

mod callers;
mod cards;
mod crashes;
mod fail_over;
mod follow_ups;
mod replies;
mod windows;

use crate::gateways::Result;
use crate::stage::Stage;

/// Plays every scene. `plant`: the first order is charged a second time behind the library's back.
pub(crate) async fn play(stage: &mut Stage, plant: bool) -> Result<()> {
    if stage.gateways.is_sandbox() {
        // Nothing goes wrong on demand in a sandbox.
        replies::nothing(stage, plant).await?;
        cards::declined(stage).await?;
        return callers::ten(stage).await;
    }
    replies::nothing(stage, plant).await?;
    replies::everywhere(stage).await?;
    replies::at_stripe(stage).await?;
    replies::at_hyperpay(stage).await?;
    cards::declined(stage).await?;
    cards::the_bank_asks(stage).await?;
    callers::ten(stage).await?;
    callers::two_processes(stage).await?;
    follow_ups::play(stage).await?;
    crashes::play(stage).await?;
    fail_over::play(stage).await?;
    // Last, because a day passes.
    windows::play(stage).await
}
