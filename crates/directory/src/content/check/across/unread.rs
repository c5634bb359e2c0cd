//! Files that are not read, because their name or place is wrong.

use super::super::provider::Draft;
use super::context::Context;
use super::paths::{document, folder_meant, folder_resembled, meant_path, stem_of};
use crate::content::mistakes::{nearest, slug_meant};
use crate::content::passed_over::is_lock;
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::sources::{BUSY_PATH, EDITOR_PATH, OPEN_PATH, SourceFile, Sources};

const FILES: [&str; 8] = [
    "directory.toml",
    "insurances.toml",
    "appointment-types.toml",
    "retired.toml",
    "allow.toml",
    EDITOR_PATH,
    BUSY_PATH,
    OPEN_PATH,
];
const FOLDERS: [&str; 4] = ["providers", "availability", "holidays", "translations"];

pub(super) fn every_file_is_read(context: &Context<'_>, problems: &mut Problems) {
    let sources = context.sources;
    for (path, source) in sources.iter() {
        let is_read = match (path.rsplit_once('/'), source) {
            _ if FILES.contains(&path) => true,
            (Some((folder, _)), SourceFile::Text(_) | SourceFile::Later) => FOLDERS.contains(&folder),
            (None, SourceFile::Portrait { .. }) => true,
            (Some((folder, _)), SourceFile::Portrait { .. }) => folder == "headshots",
            _ => false,
        };
        let is_expected = || path.starts_with("schemas/") || path.to_ascii_lowercase().ends_with(".md");
        // `collect` reports these.
        let is_too_deep = matches!(source, SourceFile::Text(_) | SourceFile::Later)
            && ["providers/", "availability/"].iter().any(|folder| path.starts_with(folder));
        // A missing portrait is reported where a clinician's file names it.
        let is_missing_portrait = || {
            let name = path.rsplit('/').next().unwrap_or(path);
            let is_named =
                |draft: &Draft| draft.portrait.as_ref().is_some_and(|portrait| portrait.name == name);
            sources.get(&format!("headshots/{name}")).is_none() && context.drafts.iter().any(is_named)
        };
        if is_read || is_missing_portrait() {
            continue;
        }
        let place = FileSpan::file(path);
        if is_lock(path) {
            let what = "This file is ignored. An office program keeps it while another file is open.";
            problems.push(Problem::warning(place, what).hint("Close that program, or delete this file."));
        } else if let Some((slug, kind, how)) = document(path).filter(|_| is_awaited(path, sources)) {
            let what = format!("This is {kind}, which can't be read.");
            problems.push(
                Problem::error(place, what)
                    .hint(format!("{how}, and name it {slug}.toml. Then delete this file.")),
            );
        } else if path == "calendars" {
            let what =
                "This file is ignored here. Addresses of calendars are passwords, and this folder is public.";
            problems.push(
                Problem::warning(place, what).hint("Move it out of the content folder, such as beside it."),
            );
        } else if !is_too_deep && !is_expected() {
            let is_in_folder = path.rsplit_once('/').is_some_and(|(folder, _)| FOLDERS.contains(&folder));
            let problem = if is_profile(path, sources) {
                Problem::error(
                    place,
                    "This clinician isn't published, because the file's name doesn't end in .toml.",
                )
            } else if is_in_folder && meant_path(path, sources).is_some() {
                Problem::error(place, "This file is ignored, because its name doesn't end in .toml.")
            } else if let Some(folder) = folder_meant(path, sources, &FOLDERS).or(folder_resembled(path)) {
                Problem::error(place, format!("This file is ignored, because it isn't in {folder}/."))
            } else {
                Problem::warning(place, "This file is ignored.")
            };
            problems.push(problem.hint(hint_for_unread(path, sources)));
        }
    }
}

/// Whether a document is in the place of a clinician's file: the other one of the clinician's two files is there.
pub(super) fn is_awaited(path: &str, sources: &Sources) -> bool {
    let Some((slug, ..)) = document(path) else { return false };
    let (own, other) = match path.split_once('/') {
        Some(("providers", _)) => ("providers", "availability"),
        Some(("availability", _)) => ("availability", "providers"),
        _ => return false,
    };
    let is_in = |folder: &str| sources.get(&format!("{folder}/{slug}.toml")).is_some();
    let is_document = |(path, _): (&str, _)| document(path).is_some_and(|(known, ..)| known == slug);
    !is_in(own) && (is_in(other) || sources.below(other).any(is_document))
}

/// Whether a text file among the clinicians' files is a clinician's.
fn is_profile(path: &str, sources: &Sources) -> bool {
    let is_text = path.to_ascii_lowercase().ends_with(".txt") && path.starts_with("providers/");
    let is_copy = stem_of(path).is_some();
    let holds_name = |text: &str| text.lines().any(|line| line.trim_start().starts_with("display-name"));
    is_text && !is_copy && sources.read(path, &mut Vec::new()).is_ok_and(|text| text.is_some_and(holds_name))
}

/// The clinician's file in the place of one that stands at the top, or has no ending.
fn read_instead(path: &str, sources: &Sources) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".toml").unwrap_or(name);
    let mut read = Vec::new();
    let text = sources.read(path, &mut read).ok().flatten().unwrap_or_default();
    let folder = match folder {
        "" if text.contains("[[weekly]]") => "availability",
        "" if text.contains("display-name") => "providers",
        _ => FOLDERS.into_iter().find(|known| *known == folder)?,
    };
    Some(format!("{folder}/{stem}.toml")).filter(|other| other != path && sources.get(other).is_some())
}

fn hint_for_unread(path: &str, sources: &Sources) -> String {
    if is_profile(path, sources) {
        let name = path.rsplit('/').next().unwrap_or_default();
        let slug = name.get(..name.len() - ".txt".len()).and_then(slug_meant);
        return format!("Rename it to {}.toml.", slug.as_deref().unwrap_or("jane-doe"));
    }
    if let Some(other) = read_instead(path, sources) {
        return format!(
            "{other} is read instead. If this one is newer, copy its text there. Then delete this file."
        );
    }
    if let Some((folder, name)) = path.rsplit_once('/') {
        let stem = stem_of(name).and_then(|stem| slug_meant(&stem));
        let near = nearest(folder, FOLDERS.iter().copied());
        let is_copy = near == Some(folder)
            && sources.get(&format!("{folder}/{}.toml", stem.as_deref().unwrap_or_default())).is_some();
        if is_copy {
            return "Delete it, or move it out of the content folder.".to_owned();
        }
        if let (Some(stem), Some(near)) = (stem, near) {
            return if near == folder {
                format!("Rename it to {stem}.toml.")
            } else {
                format!("Move {path} to {near}/{stem}.toml")
            };
        }
    } else if let Some(folder) = folder_meant(path, sources, &FOLDERS) {
        return format!("Move it to {folder}/.");
    }
    match nearest(path, FILES.iter().copied()) {
        Some(near) => format!("Did you mean {near}?"),
        None => "Move it out of the content folder, or to the folder where it belongs.".to_owned(),
    }
}
