//! Numbers in the files of `/proc`.

/// The number that a field consists of, in a base of at most sixteen.
pub(super) fn number(field: &[u8], base: u32) -> Option<u64> {
    if field.is_empty() {
        return None;
    }
    field.iter().try_fold(0_u64, |sum, &byte| {
        let digit = char::from(byte).to_digit(base)?;
        sum.checked_mul(base.into())?.checked_add(digit.into())
    })
}

/// The major and minor number of a device, as in `fe:00`.
pub(super) fn device(field: &[u8], base: u32) -> Option<u64> {
    let colon = field.iter().position(|&byte| byte == b':')?;
    let (major, minor) = (
        number(&field[..colon], base)?,
        number(&field[colon + 1..], base)?,
    );
    let (Ok(major), Ok(minor)) = (u32::try_from(major), u32::try_from(minor)) else {
        return None;
    };
    Some(rustix::fs::makedev(major, minor))
}

#[cfg(test)]
mod tests {
    use super::{device, number};

    #[test]
    fn only_digits_that_fit_are_a_number() {
        assert_eq!(number(b"fe", 16), Some(254));
        assert_eq!(number(b"18446744073709551615", 10), Some(u64::MAX));
        for field in [b"".as_slice(), b"-1", b"+1", b"1 ", b"18446744073709551616"] {
            assert_eq!(number(field, 10), None);
        }
        assert_eq!(device(b"fe:01", 16), device(b"254:1", 10));
        assert_eq!(device(b"254", 10), None);
        assert_eq!(device(b"4294967296:0", 10), None);
    }
}
