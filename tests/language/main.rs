//! The policy language and its tools, through the binary (`spec 3`).

#[path = "../support/owl.rs"]
mod owl_binary;
#[path = "../support/mod.rs"]
mod support;

mod broken;
mod conditions;
mod extends;
mod ignored;
mod jobs;
mod layouts;
mod schema;
mod tools;
