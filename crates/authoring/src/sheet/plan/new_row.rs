//! A row of a clinician who has no file yet.

use directory::model::Slug;

use super::known::Known;
use super::{CellChange, RowPlan, SheetRow, missing};
use crate::sheet::column::Column;
use crate::sheet::fault::Fault;
use crate::sheet::grid::Cell;
use crate::sheet::letters::lost_letters;
use crate::sheet::mark::Mark;
use crate::sheet::profile::Profile;

impl SheetRow<'_> {
    /// The file of a new clinician. A row without an id reports its other mistakes, too.
    pub(super) fn plan_new(
        &self,
        id: Option<&str>,
        mark: Option<&Mark<'_>>,
        known: &mut Known<'_>,
        faults: &mut Vec<Fault>,
    ) -> Option<RowPlan> {
        if let Some(id) = id.filter(|id| mark.is_some_and(|mark| mark.had(Column::ID, id) == Some(true))) {
            let what = format!(
                "the file of {id} is not there any more: delete this row, or bring the file back and try again"
            );
            faults.push(self.fault(Column::ID, what));
            return None;
        }
        let slug = self.cell(Column::Slug).unwrap_or_default();
        if let Some(own) = known.slugs.get(slug) {
            let what = format!(
                "the id of {slug} is {own}: write it here again if this row is about {slug}, or write another slug for a new \
                 clinician"
            );
            faults.push(self.fault(Column::ID, what));
            return None;
        }
        let id = self.new_id(id, known, faults);
        // Without slugs no row is new: the id of an existing clinician was lost.
        if id.is_none() && !self.header.columns.contains_key(&Column::Slug) {
            return None;
        }
        let slug = self.new_slug(slug, known, faults);
        let changes = self.new_values(faults);
        let profile = match Profile::new(slug?, id?) {
            Ok(profile) => profile,
            Err(what) => {
                faults.push(self.fault(Column::ID, what));
                return None;
            }
        };
        self.edited(profile, changes, None, faults)
    }

    fn new_id<'a>(&self, id: Option<&'a str>, known: &Known<'_>, faults: &mut Vec<Fault>) -> Option<&'a str> {
        let Some(id) = id else {
            if !self.is_unreadable(Column::ID) {
                let what = if self.header.columns.contains_key(&Column::Slug) {
                    "the id is missing: for a new clinician write one that was never used, such as prov-1234"
                } else {
                    "the id is missing: write it again (`nameplate export` writes a sheet that has it); a sheet with new \
                     clinicians needs a column `slug`"
                };
                faults.push(self.fault(Column::ID, what));
            }
            return None;
        };
        if known.reserved.ids.contains(id) {
            let what = format!("{id} belonged to a clinician who left: write one that was never used");
            faults.push(self.fault(Column::ID, what));
            return None;
        }
        Some(id)
    }

    fn new_slug<'a>(&self, slug: &'a str, known: &mut Known<'_>, faults: &mut Vec<Fault>) -> Option<&'a str> {
        let what = if slug.parse::<Slug>().is_err() {
            if self.is_unreadable(Column::Slug) {
                return None;
            }
            let what = if slug.is_empty() {
                "the slug is missing".to_owned()
            } else {
                format!("\"{slug}\" is not a slug")
            };
            format!("{what}: a new clinician needs one, of small letters with hyphens, such as jane-doe")
        } else if (known.reserved.is_slug)(slug) {
            format!(
                "{slug} is or was another clinician's, and old links to it lead there: write another slug"
            )
        } else if let Some(row) = known.new_slugs.get(slug) {
            format!("{slug} is the slug of row {} already: write another one", row + 1)
        } else {
            known.new_slugs.insert(slug.to_owned(), self.number);
            return Some(slug);
        };
        faults.push(self.fault(Column::Slug, what));
        None
    }

    fn new_values(&self, faults: &mut Vec<Fault>) -> Vec<CellChange> {
        let mut changes = Vec::new();
        let missing_columns = Column::fixed().filter(|column| !self.header.columns.contains_key(column));
        let columns = self.header.in_order().into_iter().chain(missing_columns);
        for column in columns.filter(|column| ![Column::ID, Column::Slug].contains(column)) {
            let cell = self.cell(column).unwrap_or_default();
            if let Some(what) = lost_letters("", cell) {
                faults.push(self.fault(column, what));
                continue;
            }
            match column.read(cell) {
                Ok(None) if column.is_required() && !self.is_unreadable(column) => {
                    faults.push(self.fault(column, missing(column)));
                }
                Ok(None) => {}
                Ok(to) => changes.push(CellChange { column, from: None, to }),
                Err(what) => faults.push(self.fault(column, what)),
            }
        }
        changes
    }

    /// Whether the cell has no text to read, which was reported.
    fn is_unreadable(&self, column: Column) -> bool {
        let cell = self.header.columns.get(&column).and_then(|at| self.cells.get(*at));
        matches!(cell, Some(Cell::Other(_)))
    }
}
