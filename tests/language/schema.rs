//! The JSON Schema: as committed, and of one mind with the reader.

use super::support::Repo;
use owl::policy::{BUILTINS, Origin, Policy};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_committed_schema_is_the_one_that_owl_prints() {
    let repo = Repo::empty();
    let printed = repo.owl_in(repo.root(), ["policy", "schema"]);
    let committed = fs::read(root().join("schemas/policy.json")).expect("it is there");
    assert!(
        printed.output.stdout == committed,
        "write it anew: owl policy schema > schemas/policy.json"
    );
}

fn yaml_files(below: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(root().join(below))
        .expect("it is there")
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.extension().is_some_and(|it| it == "yaml"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{below}");
    found
}

fn value(text: &str) -> Option<Value> {
    serde_yaml::from_str(text).ok()
}

#[test]
fn whatever_owl_accepts_validates() {
    let schema = owl::policy::schema();
    let examples = [
        "examples/01-first-plan",
        "examples/02-policy-cookbook",
        "examples/04-cron",
        "examples/05-ci",
    ];
    for below in ["policies", "tests/policies/valid"]
        .into_iter()
        .chain(examples)
    {
        for path in yaml_files(below) {
            let text = fs::read_to_string(&path).expect("it can be read");
            let value = value(&text).unwrap_or_else(|| panic!("{}", path.display()));
            let found = wrong(&schema, &schema, &value, "");
            assert_eq!(found, None, "{}", path.display());
        }
    }
}

/// What the shape of a policy does not tell, the schema cannot: names that stand twice, globs, what
/// a repository may say, what only the text shows.
const BEYOND: [&str; 14] = [
    "alias-bomb",
    "bad-globs",
    "bad-projects",
    "bad-stores",
    "duplicates",
    "hostile",
    "no-projects",
    "recursive-alias",
    "repository",
    "syntax",
    "two-documents",
    "unclosed",
    "yaml-features",
    "empty-conditions",
];

#[test]
fn most_of_what_owl_refuses_does_not_validate() {
    let schema = owl::policy::schema();
    let mut refused = 0;
    for path in yaml_files("tests/policies/invalid") {
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("it can be read");
        let validates =
            value(&text).is_some_and(|value| wrong(&schema, &schema, &value, "").is_none());
        if validates {
            assert!(BEYOND.contains(&name.as_str()), "{name} validates");
        } else {
            refused += 1;
        }
    }
    assert!(refused >= 12, "{refused}");
}

#[test]
fn every_policy_tells_an_editor_where_the_schema_is() {
    let hint = |up: &str| format!("\n# yaml-language-server: $schema={up}schemas/policy.json\n");
    for builtin in BUILTINS {
        assert!(builtin.text.contains(&hint("../")), "{}", builtin.name);
    }
    for path in yaml_files("examples/02-policy-cookbook") {
        let text = fs::read_to_string(&path).expect("it can be read");
        assert!(text.contains(&hint("../../")), "{}", path.display());
        assert!(Policy::parse("owl.yaml", text.as_bytes(), Origin::User).is_ok());
    }
}

/// Why a value does not validate; the keywords are those that the schema uses, and another one is
/// an error, so that none is passed over.
#[expect(clippy::too_many_lines, reason = "one arm a keyword")]
fn wrong(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    let Value::Object(keywords) = schema else {
        return (schema == &Value::Bool(false)).then(|| format!("{at} is not allowed"));
    };
    let fails = |says: &str| Some(format!("{at}: {says} ({value})"));
    for (keyword, wanted) in keywords {
        let found = match keyword.as_str() {
            "$schema"
            | "$defs"
            | "title"
            | "description"
            | "additionalProperties"
            | "properties"
            | "patternProperties" => None,
            "$ref" => {
                assert_eq!(wanted, "#/$defs/condition");
                wrong(root, &root["$defs"]["condition"], value, at)
            }
            "type" => {
                let is = match wanted.as_str().expect("a word") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    other => panic!("the type {other}"),
                };
                if is { None } else { fails("another type") }
            }
            "const" => {
                if value == wanted {
                    None
                } else {
                    fails("another value")
                }
            }
            "enum" => {
                let words = wanted.as_array().expect("a list");
                if words.contains(value) {
                    None
                } else {
                    fails("none of the words")
                }
            }
            "pattern" => value.as_str().and_then(|text| {
                if matches(wanted.as_str().expect("a text"), text) {
                    None
                } else {
                    fails("not the pattern")
                }
            }),
            "minimum" => (value.as_i64() < wanted.as_i64()).then(|| format!("{at} is too small")),
            "minLength" => value.as_str().and_then(|text| {
                if text.is_empty() {
                    fails("empty")
                } else {
                    None
                }
            }),
            "minItems" => value.as_array().and_then(|list| {
                if list.is_empty() {
                    fails("empty")
                } else {
                    None
                }
            }),
            "minProperties" => value
                .as_object()
                .and_then(|map| if map.is_empty() { fails("empty") } else { None }),
            "required" => wanted.as_array().expect("a list").iter().find_map(|key| {
                let key = key.as_str().expect("a text");
                let missing = value.is_object() && value.get(key).is_none();
                if missing { fails(key) } else { None }
            }),
            "items" => value.as_array().and_then(|list| {
                let mut items = list.iter().enumerate();
                items.find_map(|(nth, item)| wrong(root, wanted, item, &format!("{at}/{nth}")))
            }),
            "anyOf" => {
                let mut ways = wanted.as_array().expect("a list").iter();
                if ways.any(|way| wrong(root, way, value, at).is_none()) {
                    None
                } else {
                    fails("no way")
                }
            }
            other => panic!("the keyword {other}"),
        };
        if found.is_some() {
            return found;
        }
    }
    let object = value.as_object()?;
    object.iter().find_map(|(key, inner)| {
        let at = format!("{at}/{key}");
        let known = schema.get("properties").and_then(|known| known.get(key));
        let extra = schema
            .get("patternProperties")
            .filter(|_| key.starts_with("x-"));
        match (known, extra, schema.get("additionalProperties")) {
            (Some(known), ..) => wrong(root, known, inner, &at),
            (None, Some(_), _) | (None, None, None) => None,
            (None, None, Some(rest)) => wrong(root, rest, inner, &at),
        }
    })
}

/// The few patterns of the schema.
fn matches(pattern: &str, text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match pattern {
        "^[0-9]+[smhdw]$" => text
            .strip_suffix(['s', 'm', 'h', 'd', 'w'])
            .is_some_and(digits),
        "^[0-9]+([KMGT]i)?B$" => ["KiB", "MiB", "GiB", "TiB", "B"]
            .iter()
            .any(|unit| text.strip_suffix(unit).is_some_and(digits)),
        "^0*(100|[1-9]?[0-9])%$" => text
            .strip_suffix('%')
            .is_some_and(|share| digits(share) && share.parse::<u32>().is_ok_and(|it| it <= 100)),
        other => panic!("the pattern {other}"),
    }
}
