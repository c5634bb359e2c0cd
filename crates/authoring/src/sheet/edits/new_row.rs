//! Rows of clinicians who have no file yet.

use directory::content::slug_like;
use directory::model::Slug;

use super::known::KnownClinicians;
use super::{CellChange, RowEdit, SheetRow, required_message};
use crate::sheet::column::Column;
use crate::sheet::fault::Faults;
use crate::sheet::grid::GridCell;
use crate::sheet::letters::lost_letters;
use crate::sheet::profile::Profile;
use crate::sheet::row_hashes::RowHashes;

/// How many cells of a row make it a clinician's: fewer are a note or a total.
const LEAST_CELLS: usize = 3;

impl SheetRow<'_> {
    pub(super) fn add_clinician(
        &self,
        id: Option<&str>,
        hashes: Option<&RowHashes<'_>>,
        known: &mut KnownClinicians<'_>,
        faults: &mut Faults,
    ) -> Option<RowEdit> {
        let was_exported = |id: &&str| hashes.is_some_and(|hashes| hashes.had(Column::ID, id) == Some(true));
        if let Some(id) = id.filter(was_exported) {
            let message = format!(
                "the file of {id} no longer exists: delete this row, or restore the file and try again"
            );
            return self.refuse(Column::ID, message, faults);
        }
        let slug = self.cell(Column::Slug).unwrap_or_default();
        let filled = self
            .header
            .columns
            .keys()
            .filter(|column| self.cell(**column).is_some_and(|cell| !cell.is_empty()));
        if id.is_none() && slug.is_empty() && self.has_slug_column() && filled.count() < LEAST_CELLS {
            let message = "this row doesn't look like a clinician: delete it, or fill in its id, slug, and other columns";
            return self.refuse(Column::ID, message.to_owned(), faults);
        }
        if let Some(id_in_file) = known.ids_by_slug.get(slug) {
            let message = format!(
                "the id of {slug} is {id_in_file}: write it here again if this row is about {slug}, or write another slug for a \
                 new clinician"
            );
            return self.refuse(Column::ID, message, faults);
        }
        let id = self.accept(Column::ID, self.check_new_id(id, known), faults);
        // Without this column, `check_new_id` has refused the id. Only that is reported, not the values that are missing, too.
        if !self.has_slug_column() {
            return None;
        }
        let slug = self.accept(Column::Slug, self.claim_new_slug(slug, known), faults);
        let changes = self.new_values(faults);
        let profile = self.accept(Column::ID, Profile::new(slug?, id?), faults)?;
        self.apply(profile, changes, None, faults)
    }

    /// An unreadable cell has already been reported.
    fn accept<T>(&self, column: Column, result: Result<T, String>, faults: &mut Faults) -> Option<T> {
        match result {
            Ok(value) => return Some(value),
            Err(_) if self.is_unreadable(column) => {}
            Err(message) => faults.push(self.fault(column, message)),
        }
        None
    }

    fn has_slug_column(&self) -> bool {
        self.header.columns.contains_key(&Column::Slug)
    }

    fn check_new_id<'a>(&self, id: Option<&'a str>, known: &KnownClinicians<'_>) -> Result<&'a str, String> {
        match id {
            Some(id) if known.reserved.ids.contains(id) => {
                Err(format!("{id} belonged to a clinician who left: use an id that no clinician has or had"))
            }
            Some(id) if self.has_slug_column() => Ok(id),
            Some(id) => Err(format!(
                "no clinician has the id {id}: write the right one; to add clinicians, add a column `slug`"
            )),
            None if self.has_slug_column() => Err(
                "the id is missing: give a new clinician an id that no clinician has or had, such as prov-1234".to_owned(),
            ),
            None => Err(
                "the id is missing: write it again (`nameplate export` writes a sheet that has it); to add clinicians, add a \
                 column `slug`"
                    .to_owned(),
            ),
        }
    }

    /// Checks a new slug, and reserves it, so that later rows can't have it.
    fn claim_new_slug<'a>(&self, slug: &'a str, known: &mut KnownClinicians<'_>) -> Result<&'a str, String> {
        if slug.parse::<Slug>().is_err() {
            let fault = if slug.is_empty() {
                "the slug is missing".to_owned()
            } else {
                format!("\"{slug}\" isn't a slug")
            };
            let name = self.cell(Column::parse("display-name")?).unwrap_or_default();
            let name = if slug.is_empty() { name } else { slug };
            let meant = slug_like(name.split(',').next().unwrap_or_default());
            return Err(match meant {
                Some(meant) => format!("{fault}: write {meant}"),
                None => {
                    format!(
                        "{fault}: give a new clinician a slug of lowercase letters and hyphens, such as jane-doe"
                    )
                }
            });
        }
        if (known.reserved.is_slug_taken)(slug) {
            return Err(format!(
                "{slug} is or was another clinician's slug, and old links lead there: choose another slug"
            ));
        }
        if let Some(row) = known.rows_by_new_slug.get(slug) {
            return Err(format!("row {} already has the slug {slug}: write another slug", row + 1));
        }
        known.rows_by_new_slug.insert(slug.to_owned(), self.number);
        Ok(slug)
    }

    fn new_values(&self, faults: &mut Faults) -> Vec<CellChange> {
        let mut changes = Vec::new();
        // Missing columns are included so that the required ones are reported.
        let missing_columns = Column::fixed().filter(|column| !self.header.columns.contains_key(column));
        for column in self.header.in_order().into_iter().chain(missing_columns) {
            if [Column::ID, Column::Slug].contains(&column) {
                continue;
            }
            let cell = self.cell(column).unwrap_or_default();
            let value = match lost_letters("", cell) {
                Some(message) => Err(message),
                None => column.parse_cell(cell),
            };
            match value {
                Ok(None) if column.is_required() && !self.is_unreadable(column) => {
                    faults.push(self.fault(column, required_message(column)));
                }
                Ok(None) => {}
                Ok(to) => changes.push(CellChange { column, from: None, to }),
                Err(message) => faults.push(self.fault(column, message)),
            }
        }
        changes
    }

    fn is_unreadable(&self, column: Column) -> bool {
        let cell = self.header.columns.get(&column).and_then(|position| self.cells.get(*position));
        matches!(cell, Some(GridCell::Unreadable(_) | GridCell::Date(_)))
    }
}
