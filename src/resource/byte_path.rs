//! A path as the bytes that the file system holds.

use super::escape;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A path; JSON has it as a string, or as `{"bytes_hex": ...}` where it is not UTF-8 (`spec 12`).
///
/// `Display` escapes it for a terminal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BytePath(PathBuf);

impl BytePath {
    /// Another path, seen from what this one lies in; a final `/` stays.
    #[must_use]
    pub fn below(&self, inner: &Self) -> Self {
        Self::from_bytes(&[self.as_bytes(), b"/", inner.as_bytes()].concat())
    }

    /// The path itself.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// Its bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_os_str().as_bytes()
    }

    /// The path as text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        self.0.to_str()
    }

    /// A path from its bytes in hexadecimal digits; none if they are none.
    pub fn from_hex(digits: &str) -> Option<Self> {
        Some(Self::from_bytes(&unhex(digits)?))
    }

    /// A path from raw bytes.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self(PathBuf::from(OsStr::from_bytes(bytes)))
    }
}

impl<P: Into<PathBuf>> From<P> for BytePath {
    fn from(path: P) -> Self {
        Self(path.into())
    }
}

impl fmt::Display for BytePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape(self.as_bytes()))
    }
}

impl fmt::Debug for BytePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[derive(Serialize, Deserialize)]
struct Hex {
    bytes_hex: String,
}

impl Serialize for BytePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(text) = self.as_str() {
            return serializer.serialize_str(text);
        }
        Hex {
            bytes_hex: hex(self.as_bytes()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for BytePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if let serde_json::Value::String(text) = value {
            return Ok(Self(PathBuf::from(text)));
        }
        let Hex { bytes_hex } = serde_json::from_value(value).map_err(serde::de::Error::custom)?;
        let bytes = unhex(&bytes_hex)
            .ok_or_else(|| serde::de::Error::custom("bytes_hex is not hexadecimal"))?;
        Ok(Self(PathBuf::from(OsString::from_vec(bytes))))
    }
}

/// The bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(out, "{byte:02x}").expect("because writing to a string cannot fail");
    }
    out
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::BytePath;

    #[test]
    fn any_bytes_survive_json() {
        for bytes in [
            b"plain".as_slice(),
            b"\xff\xfe/x",
            "a̋gent-🦉".as_bytes(),
            b"a\nb",
        ] {
            let path = BytePath::from_bytes(bytes);
            let text = serde_json::to_string(&path).expect("a path serialises");
            assert_eq!(
                serde_json::from_str::<BytePath>(&text).expect("and comes back"),
                path
            );
        }
    }
}
