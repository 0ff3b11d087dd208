//! The simulated Moyasar, request by request.
