//! The map of the states as tiles of a grid.

use crate::model::StateCode;

/// The states of each row, from west to east; `..` is an empty tile. Territories are at the edges.
const ROWS: [&str; 8] = [
    "AK .. .. .. .. .. .. .. .. .. ME",
    ".. .. .. .. .. .. .. .. .. VT NH",
    "WA ID MT ND MN IL WI MI NY RI MA",
    "OR NV WY SD IA IN OH PA NJ CT ..",
    "CA UT CO NE MO KY WV VA MD DE ..",
    "MP AZ NM KS AR TN NC SC DC .. ..",
    "GU .. .. OK LA MS AL GA .. .. VI",
    "HI AS .. TX .. .. .. .. FL .. PR",
];

/// Every state with its row and column on the map, counted from one.
pub(super) fn tiles() -> impl Iterator<Item = (StateCode, usize, usize)> {
    ROWS.iter().zip(1..).flat_map(|(line, row)| {
        let cells = line.split(' ').zip(1..);
        cells.filter_map(move |(code, column)| Some((code.parse().ok()?, row, column)))
    })
}

pub(super) fn is_on_every_map(state: StateCode) -> bool {
    !matches!(state.code(), "AS" | "GU" | "MP" | "PR" | "VI")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_state_has_one_tile_of_its_own() {
        let states: BTreeSet<_> = tiles().map(|(state, ..)| state).collect();
        let places: BTreeSet<_> = tiles().map(|(_, row, column)| (row, column)).collect();
        assert_eq!(states, StateCode::all().collect());
        assert_eq!(places.len(), tiles().count());
        assert_eq!(tiles().count(), 56);
    }
}
