//! What the measurements share.
//!
//! A figure means something only beside the floor of the same machine in the same run, so each program here
//! prints both. Nothing in here is part of the product.

pub mod chance;
pub mod clinic;
pub mod measure;

/// The program's own: what is measured here is what is published.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
