//! The inputs of a tree as one hash: the program's bytes, the options that determine the tree, the content and the site.
//! The same inputs give the same tree, so a build with the recorded hash and an intact tree has nothing to do.
//!
//! There is no dependency graph, because a missing edge in it would leave a stale page: if any input differs, everything is
//! rendered. Each part is hashed from the bytes that are used. If a part cannot be read, there is no hash and no record.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use directory::content::Fingerprint;
use etag::EntityTag;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::options::BuildOptions;
use crate::publish::manifest::Sha256Digest;
use crate::read;
use crate::site::Site;

/// The running program, even if another one was installed in its place meanwhile. Linux only.
const PROGRAM: &str = "/proc/self/exe";
/// The bytes of the program that are hashed as one piece.
const PIECE: u64 = 1 << 18;

/// The hash of the program's bytes; `None` if they cannot be read. Pieces are hashed with XXH3, as entity tags are: it
/// need not resist an attacker, and SHA-256 over the whole program would take a hundredth of a build.
pub(crate) fn program_hash() -> Option<[u8; 32]> {
    hash_in_pieces(Path::new(PROGRAM)).ok()
}

#[expect(clippy::disallowed_methods, reason = "the program itself is neither content nor site")]
fn hash_in_pieces(path: &Path) -> io::Result<[u8; 32]> {
    let length = File::open(path)?.metadata()?.len();
    let piece = |(open, buffer): &mut (io::Result<File>, Vec<u8>), at: u64| {
        let file = open.as_mut().map_err(|error| io::Error::from(error.kind()))?;
        file.seek(SeekFrom::Start(at * PIECE))?;
        buffer.clear();
        file.take(PIECE).read_to_end(buffer)?;
        Ok(EntityTag::from_data(buffer).tag().to_owned())
    };
    let pieces: io::Result<Vec<String>> = (0..length.div_ceil(PIECE))
        .into_par_iter()
        .map_init(|| (File::open(path), Vec::new()), piece)
        .collect();
    Ok(Sha256::digest(pieces?.join(" ")).into())
}

/// The hash of all inputs from the hashes of the parts.
pub(crate) fn combine(
    program: &[u8; 32],
    options: &BuildOptions,
    content: &Fingerprint,
    site: &[u8; 32],
) -> Sha256Digest {
    let whole = Sha256::new()
        .chain_update(program)
        // The only part of variable length, so different inputs never give the same bytes.
        .chain_update(options.shape())
        .chain_update(content.digest())
        .chain_update(site);
    Sha256Digest::from(<[u8; 32]>::from(whole.finalize()))
}

/// Reads and hashes all inputs; `None` if one cannot be read.
pub(crate) fn hash_all(options: &BuildOptions) -> Option<Sha256Digest> {
    let (content, (site, program)) = rayon::join(
        || Fingerprint::read(&options.content),
        || (Site::load(options.site.as_deref()), program_hash()),
    );
    Some(combine(&program?, options, &content?, &site.ok()?.overlay_hash))
}

/// Whether an input may have been touched since `moment`, from file times alone. If so, hashing the inputs can be
/// skipped; if not, only [`hash_all`] decides.
pub(crate) fn touched_since(moment: SystemTime, options: &BuildOptions) -> bool {
    let folders = [Some(&options.content), options.site.as_ref()];
    folders.into_iter().flatten().any(|folder| read::touched_since(moment, folder))
}
