//! The whole target once more, as an ordinary user.

#[test]
fn the_same_as_an_ordinary_user() {
    crate::support::ordinary::run_as_nobody("guards::the_same_as_an_ordinary_user");
}
