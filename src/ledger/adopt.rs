//! A repository that was moved, or replaced by its copy: a person says that it is the same.

use super::{Ledger, LedgerError, NewProject, insert};
use jiff::Timestamp;
use rusqlite::params;

impl Ledger {
    /// Gives the jobs of a project to another repository; how many there were. The ledger counts as
    /// knowing that one since `now` only: what is older in it may be anybody's (`spec 8`: `gone`).
    pub fn adopt(
        &mut self,
        from: i64,
        to: &NewProject,
        now: Timestamp,
    ) -> Result<usize, LedgerError> {
        let path = self.path.clone();
        self.change_with(|transaction| {
            let sql = |why| LedgerError::sql(&path, why);
            let there = "SELECT count(*) FROM projects WHERE id = ?1";
            let there: i64 = transaction
                .query_row(there, [from], |row| row.get(0))
                .map_err(sql)?;
            if there == 0 {
                return Err(LedgerError::NoSuchProject(from));
            }
            let to = insert::project(transaction, &path, to)?;
            if to == from {
                return Ok(0);
            }
            let clash =
                "SELECT ours.branch, theirs.id, theirs.state FROM jobs AS ours, jobs AS theirs
                WHERE ours.project = ?1 AND theirs.project = ?2 AND ours.branch = theirs.branch
                AND ours.state NOT IN ('done', 'cancelled')
                AND theirs.state NOT IN ('done', 'cancelled')";
            let mut clashes = transaction.prepare(clash).map_err(sql)?;
            let mut clashes = clashes.query([from, to]).map_err(sql)?;
            if let Some(row) = clashes.next().map_err(sql)? {
                let branch: Vec<u8> = row.get(0).map_err(sql)?;
                let state: String = row.get(2).map_err(sql)?;
                return Err(LedgerError::BranchTaken {
                    branch: crate::resource::BytePath::from_bytes(&branch),
                    id: row.get(1).map_err(sql)?,
                    state: crate::job::State::of(&state),
                });
            }
            let give = "UPDATE jobs SET project = ?2 WHERE project = ?1";
            let moved = transaction.execute(give, [from, to]).map_err(sql)?;
            let known = "UPDATE projects SET first_known = ?2 WHERE id = ?1";
            transaction
                .execute(known, params![to, now.to_string()])
                .map_err(sql)?;
            let forget = "DELETE FROM projects WHERE id = ?1";
            transaction.execute(forget, [from]).map_err(sql)?;
            Ok(moved)
        })
    }
}
