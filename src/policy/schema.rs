//! The JSON Schema of the policy language (draft 2020-12), generated from the grammar table.
//!
//! It has what this version acts on and nothing else, so that an editor underlines what `owl`
//! would refuse. What two keys say together, and what a glob may be, only `owl policy check` tells.

use super::grammar::{CONDITION, Key, Level, POLICY, Shape, Support, Word};
use serde_json::{Map, Value, json};

/// The schema, as one JSON document.
pub fn schema() -> Value {
    let mut schema = object(&POLICY);
    let about = [
        (
            "$schema",
            json!("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("title", json!("owl policy")),
        ("$defs", json!({ "condition": condition() })),
    ];
    if let Some(schema) = schema.as_object_mut() {
        for (key, value) in about {
            schema.insert(key.to_owned(), value);
        }
    }
    schema
}

/// A condition tests at least one thing.
fn condition() -> Value {
    let mut condition = object(&CONDITION);
    condition["minProperties"] = json!(1);
    condition
}

fn object(level: &Level) -> Value {
    let built = |key: &&Key| key.support == Support::Built;
    let mut properties = Map::new();
    for key in level.keys.iter().filter(built) {
        properties.insert(key.name.to_owned(), property(key));
    }
    let required = level.keys.iter().filter(|key| key.required && built(key));
    let required: Vec<_> = required.map(|key| key.name).collect();
    let mut object = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    if level.extras {
        object["patternProperties"] = json!({ "^x-": true });
    }
    object
}

fn property(key: &Key) -> Value {
    let mut value = of(&key.shape);
    let mut doc = key.doc.to_owned();
    if let Some(default) = key.default {
        doc = format!("{doc} Default: {default}.");
    }
    if let Some(value) = value.as_object_mut() {
        value.insert("description".to_owned(), json!(doc));
    }
    value
}

fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Version => json!({ "const": "owl/v1" }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Duration => json!({ "type": "string", "pattern": "^[0-9]+[smhdw]$" }),
        Shape::Size => json!({ "type": "string", "pattern": "^[0-9]+([KMGT]i)?B$" }),
        Shape::Share => json!({ "type": "string", "pattern": "^0*(100|[1-9]?[0-9])%$" }),
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Words(words) => {
            let built = |word: &&Word| word.support == Support::Built;
            let words: Vec<_> = words.iter().filter(built).map(|word| word.name).collect();
            json!({ "enum": words })
        }
        Shape::Patterns => {
            let one = json!({ "type": "string", "minLength": 1 });
            json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
        }
        Shape::Map(level) if level.what == CONDITION.what => {
            json!({ "$ref": "#/$defs/condition" })
        }
        Shape::Map(level) => object(level),
        Shape::Free(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
        Shape::List(inner) => json!({ "type": "array", "items": of(inner) }),
        Shape::Some(inner) => json!({ "type": "array", "items": of(inner), "minItems": 1 }),
        Shape::Either(shapes) => {
            let shapes: Vec<_> = shapes.iter().map(of).collect();
            json!({ "anyOf": shapes })
        }
    }
}
