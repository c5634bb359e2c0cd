//! Files in insurers' and registries' own forms: [`qhp()`] makes the insurers' providers.json, [`npd()`] a submission to the
//! National Provider Directory. Both need `[standards]` and the whole `[address]`, which both contain although nobody can be
//! visited there.

mod address;
mod npd;
mod qhp;

#[cfg(test)]
mod tests;

pub use npd::{NoSubmission, npd};
pub use qhp::{QHP_PATH, QhpFile, qhp};
