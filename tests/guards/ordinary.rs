//! ordinary
