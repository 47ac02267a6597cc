//! `owl policy explain` and `owl policy schema`: the policy language, as the grammar table has it.

use crate::cli::failure::{Failure, Outcome};
use crate::cli::stream;
use crate::policy::{self, find, topics};
use crate::render::topic;
use crate::report::ExitStatus;
use crate::resource::escape;

/// Explains a key, or all of them.
pub(super) fn run(key: Option<&str>) -> Outcome {
    let found = match key {
        None => topics(),
        Some(key) => find(key).map_err(|near| {
            let shown = escape(key.as_bytes());
            let failure = Failure::new(format_args!("the policy language has no key {shown}"));
            match near {
                Some(near) => failure.hint(format!("did you mean {near}?")),
                None => failure.hint("`owl policy explain` lists all of them"),
            }
        })?,
    };
    stream::write(|to| {
        for (nth, one) in found.iter().enumerate() {
            if nth > 0 {
                writeln!(to)?;
            }
            topic(one, to)?;
        }
        Ok(())
    })?;
    Ok(ExitStatus::Done)
}

/// Prints the JSON Schema.
pub(super) fn schema() -> Outcome {
    stream::write(|to| {
        serde_json::to_writer_pretty(&mut *to, &policy::schema())?;
        writeln!(to)
    })?;
    Ok(ExitStatus::Done)
}
