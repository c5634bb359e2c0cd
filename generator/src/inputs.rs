//! All that a tree is made of, as one hash: the program's own bytes, the options that shape a tree, the content and the
//! site. The same inputs give the same tree, so a build that meets those of a tree which it finds whole is done.
//!
//! This is no graph of what depends on what, in which a wrong edge publishes a stale page: it is all or nothing.
//! Each part is hashed from the very bytes that are used. What cannot be known for certain has no hash, and then
//! nothing is remembered.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use directory::content::Fingerprint;
use etag::EntityTag;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::manifest::Sha256Digest;
use crate::options::BuildOptions;
use crate::read;
use crate::site::Site;

/// The program that runs, where the system gives it under a name that stays its own, whatever is installed meanwhile.
const PROGRAM: &str = "/proc/self/exe";
/// How much of the program is one piece of work, so that all threads hash and none holds much of it.
const PIECE: u64 = 1 << 18;

/// The hash of a program's bytes; `None` where they cannot be had. Its pieces are hashed by XXH3, as entity tags are:
/// nobody makes two programs for one hash, and a SHA-256 of all its megabytes would be a hundredth of a build.
pub(crate) fn program() -> Option<[u8; 32]> {
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

/// The inputs of a tree, as one hash.
pub(crate) fn fold(
    program: &[u8; 32],
    options: &BuildOptions,
    content: &Fingerprint,
    site: &[u8; 32],
) -> Sha256Digest {
    let whole = Sha256::new()
        .chain_update(program)
        // The only part without a fixed length, so no two sets of inputs are the same bytes.
        .chain_update(options.shape())
        .chain_update(content.digest())
        .chain_update(site);
    Sha256Digest::from(<[u8; 32]>::from(whole.finalize()))
}

/// Reads all inputs again, for their hash alone. `None` where one of them is in doubt.
pub(crate) fn read(options: &BuildOptions) -> Option<Sha256Digest> {
    let (content, (site, program)) = rayon::join(
        || Fingerprint::read(&options.content),
        || (Site::load(options.site.as_deref()), program()),
    );
    Some(fold(&program?, options, &content?, &site.ok()?.overlay))
}

/// Whether an input may have been touched since that moment: a quick look. Yes saves reading all of them for nothing; no
/// decides nothing, [`read()`] does.
pub(crate) fn touched_since(moment: SystemTime, options: &BuildOptions) -> bool {
    let folders = [Some(&options.content), options.site.as_ref()];
    folders.into_iter().flatten().any(|folder| read::touched_since(moment, folder))
}
