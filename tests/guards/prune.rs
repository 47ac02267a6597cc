//! prune
