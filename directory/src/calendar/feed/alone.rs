//! Whether a text is about one provider or one Schedule alone.

use super::file::FeedFile;
use super::line::Owner;

impl FeedFile {
    /// The first owner of a line that is not this provider, in words.
    #[must_use]
    pub fn beside_provider(&self, slug: &str) -> Option<String> {
        let schedule = self.schedules.keys().next().map(|id| format!("Schedule {id}"));
        schedule.or_else(|| self.beside(|owner| matches!(owner, Owner::Provider(name) if name == slug)))
    }

    /// The first owner of a line that is not this Schedule, in words.
    #[must_use]
    pub fn beside_schedule(&self, id: &str) -> Option<String> {
        let other = self.schedules.keys().find(|described| *described != id);
        let other = other.map(|id| format!("Schedule {id}"));
        other.or_else(|| self.beside(|owner| matches!(owner, Owner::Schedule(named) if named == id)))
    }

    fn beside(&self, is_right: impl Fn(&Owner<'static>) -> bool) -> Option<String> {
        self.owners.iter().find(|named| !is_right(&named.owner)).map(|named| named.owner.to_string())
    }
}
