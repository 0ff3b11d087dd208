//! The simulated `HyperPay`, request by request.
