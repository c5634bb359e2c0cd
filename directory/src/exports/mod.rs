//! Files in insurers' and registries' formats: [`qhp()`] makes the insurers' providers.json, [`npd()`] a submission to
//! the National Provider Directory. Both need `[standards]` and a complete `[address]`, which they give as the address
//! of each clinician, although all visits are by video.

mod address;
mod npd;
mod qhp;

#[cfg(test)]
mod tests;

pub use npd::{NoSubmission, npd};
pub use qhp::{QHP_PATH, QhpFile, qhp};
