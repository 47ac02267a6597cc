//! The whole policy, and the way from bytes to it.

use super::builtin::{BUILTINS, Builtin};
use super::case::Case;
use super::ceilings::Ceilings;
use super::check::{require_text, require_version, warn};
use super::job::JobSource;
use super::layer::{Own, read};
use super::limits::{Limits, Ttl};
use super::losable::Losable;
use super::node::Node;
use super::order::Order;
use super::paths::Lists;
use super::pattern::Patterns;
use super::project::ProjectDecl;
use super::rule::{Action, Rule};
use super::store::{Owner, Store};
use super::{extends, lint, yaml};
use crate::diag::{Diagnostic, Sink};
use crate::resource::hex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Far beyond any policy that a person wrote.
const DOCUMENT: yaml::Document = yaml::Document {
    what: "policy",
    nodes: 20_000,
    depth: 32,
};

/// Where the text of a policy came from, as every output names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the file as the user knows it, or `built-in NAME`.
    pub name: String,
    /// The SHA-256 of its bytes, in hexadecimal digits; of a policy that extends others, of its
    /// bytes and, for each of those in turn, a NUL byte, the name, a NUL byte, and the text.
    pub sha256: String,
    /// The built-in policies that it stands on, what counts first in front.
    pub extends: Vec<String>,
}

/// Who wrote a policy, and so how far it may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The user of this machine: it may reach everywhere.
    User,
    /// A repository: it governs that repository only.
    Repository,
    /// owl itself.
    BuiltIn,
}

/// The tree of a policy's text.
pub(super) fn tree<'text>(text: &'text str, sink: &mut Sink<'text>) -> Option<Node> {
    yaml::read(DOCUMENT, text, sink)
}

/// What a process that may not be inspected means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processes {
    /// It is counted, named in every output, and does not hold.
    Visible,
    /// It holds.
    Strict,
}

/// What becomes of a lock whose recorded process is proven dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLocks {
    /// It holds, and the row says that it is dead.
    Report,
    /// It is lifted, as a step of the row.
    Lift,
}

/// What an initialised submodule means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Submodules {
    /// It holds.
    #[default]
    Hold,
    /// It goes with its worktree, if nothing of it would be lost.
    RemovePublished,
}

/// Which process namespace the users of the trees run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PidNamespace {
    /// The host's; in another one, the processes that matter may be invisible.
    Host,
    /// This one: declared so by the user.
    Own,
}

/// The desired state.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Where it came from.
    pub source: Source,
    /// Who wrote it.
    pub origin: Origin,
    /// The repositories that it speaks of; none means the one that the user stands in.
    pub projects: Vec<ProjectDecl>,
    /// The places whose leaves may be removed.
    pub stores: Vec<Store>,
    /// The rules, in their order.
    pub rules: Vec<Rule>,
    /// Where jobs come from besides the ledger, and whether that is named; `None` is the ledger.
    pub jobs: Option<Vec<JobSource>>,
    /// What a person decides about one job in this run.
    pub order: Option<Order>,
    /// How long things are left alone.
    pub ttl: Ttl,
    /// The brakes.
    pub limits: Limits,
    /// The ceilings of `owl check`; no plan looks at them.
    pub check: Ceilings,
    /// Untracked or ignored paths that may be lost, each as a step of its own.
    pub expendable: Losable,
    /// Stores whose detached commits are pinned by a rescue ref; none if there are none.
    pub rescue: Option<Patterns>,
    /// What becomes of a lock whose process is proven dead.
    pub dead_locks: DeadLocks,
    /// What an initialised submodule means.
    pub submodules: Submodules,
    /// What the policy says of ignored paths.
    pub lists: Lists,
    /// What a process that may not be inspected means.
    pub processes: Processes,
    /// Which process namespace counts.
    pub pid_namespace: PidNamespace,
    /// What the policy should say of some worktrees; no plan looks at it.
    pub tests: Vec<Case>,
    /// What is legal in the text but hardly meant.
    pub warnings: Vec<Diagnostic>,
}

impl Policy {
    /// Reads a policy, or reports every error in it; `name` is what the user calls the text. What
    /// it extends is built in, so that nothing else is read.
    pub fn parse(name: &str, bytes: &[u8], origin: Origin) -> Result<Self, Vec<Diagnostic>> {
        Self::parse_with(name, bytes, origin, &BUILTINS)
    }

    pub(super) fn parse_with(
        name: &str,
        bytes: &[u8],
        origin: Origin,
        library: &[Builtin],
    ) -> Result<Self, Vec<Diagnostic>> {
        let text = require_text(name, bytes)?;
        let mut sink = Sink::new(name, text);
        match Self::read(text, origin, library, &mut sink) {
            Some((policy, _)) => Ok(Self {
                warnings: sink.into_found(),
                ..policy
            }),
            None => Err(sink.into_found()),
        }
    }

    /// Everything in a policy that is legal and hardly meant (`owl policy lint`), or every error.
    pub fn lint(
        name: &str,
        bytes: &[u8],
        origin: Origin,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let text = require_text(name, bytes)?;
        let mut sink = Sink::new(name, text);
        match Self::read(text, origin, &BUILTINS, &mut sink) {
            Some((policy, own)) => {
                lint::lint(&policy, &own, &mut sink);
                Ok(sink.into_found())
            }
            None => Err(sink.into_found()),
        }
    }

    /// Whether any rule accepts or drops, or a person does; without, nothing is removed, pruned, or
    /// expired.
    pub fn acts(&self) -> bool {
        self.order.is_some() || self.rules.iter().any(|rule| rule.then != Action::Keep)
    }

    /// Whether rescue refs expire under it: a built-in policy that makes none says nothing of how long
    /// those of another one are kept.
    pub fn expires(&self) -> bool {
        let drops = self.rules.iter().any(|rule| rule.then == Action::Drop);
        self.origin != Origin::BuiltIn || drops || self.rescue.is_some()
    }

    /// Whether a job has a say in what it does: a missing ledger proves nothing then (`spec 8`).
    pub fn asks_for_jobs(&self) -> bool {
        self.order.is_some()
            || self.stores.iter().any(|store| store.owner == Owner::Job)
            || self.rules.iter().any(|rule| rule.when.asks_for_a_job())
    }

    /// Whether a ledger that is not there leaves something unknown: a job has a say, and the
    /// policy names the ledger, or no source of jobs at all (`spec 8`).
    pub fn needs_a_ledger(&self) -> bool {
        let expects =
            |sources: &Vec<JobSource>| sources.is_empty() || sources.contains(&JobSource::Ledger);
        self.asks_for_jobs() && self.jobs.as_ref().is_none_or(expects)
    }

    /// Whether a rule or a store stands in another text than the policy's own.
    pub fn inherits(&self, file: &str) -> bool {
        self.source.name != file
    }

    /// The policy of a text, what it extends read first; none after an error.
    fn read<'text>(
        text: &'text str,
        origin: Origin,
        library: &[Builtin],
        sink: &mut Sink<'text>,
    ) -> Option<(Self, Own)> {
        let root = tree(text, sink)?;
        require_version(&root, sink)?;
        let bases = extends::extended(&root, library, sink);
        let mut policy = Self::nothing(origin);
        let mut digest = Sha256::new();
        digest.update(text.as_bytes());
        for base in bases.iter().rev() {
            let shown = base.shown();
            let mut its_sink = Sink::new(&shown, base.text);
            let root = tree(base.text, &mut its_sink)?;
            (policy, _) = read(&root, policy, Origin::BuiltIn, &mut its_sink)?;
        }
        for base in &bases {
            for part in ["\0", base.name, "\0", base.text] {
                digest.update(part.as_bytes());
            }
        }
        let (policy, own) = read(&root, policy, origin, sink)?;
        if sink.has_errors() {
            return None;
        }
        warn(&policy, &own, sink);
        let source = Source {
            name: sink.file().to_owned(),
            sha256: hex(&digest.finalize()),
            extends: bases.iter().map(|base| base.name.to_owned()).collect(),
        };
        Some((Self { source, ..policy }, own))
    }

    /// What counts where nothing is written.
    fn nothing(origin: Origin) -> Self {
        Self {
            source: Source {
                name: String::new(),
                sha256: String::new(),
                extends: Vec::new(),
            },
            origin,
            projects: Vec::new(),
            stores: Vec::new(),
            rules: Vec::new(),
            jobs: None,
            order: None,
            ttl: Ttl::default(),
            limits: Limits::default(),
            check: Ceilings::default(),
            lists: Lists::default(),
            expendable: Losable::default(),
            rescue: None,
            dead_locks: DeadLocks::Report,
            submodules: Submodules::Hold,
            processes: Processes::Visible,
            pid_namespace: PidNamespace::Host,
            tests: Vec::new(),
            warnings: Vec::new(),
        }
    }
}
