//! Portraits in headshots/: each named file exists and has the kind of its extension, and each file is used.

use std::collections::{BTreeMap, BTreeSet};

use super::super::portraits::PortraitFile;
use super::MAX_GUESSES;
use super::context::Context;
use crate::content::mistakes::nearest;
use crate::content::photo::PhotoError;
use crate::content::picture::Picture;
use crate::content::problem::{Advice, FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::sources::{SourceFile, Sources};

pub(super) fn portraits_exist_and_are_used(context: &Context<'_>, problems: &mut Problems) {
    let Context { sources, drafts, reported, all_providers_read, .. } = context;
    let portraits =
        sources.below("headshots").filter(|(_, source)| matches!(source, SourceFile::Portrait { .. }));
    let present: BTreeSet<&str> = portraits.filter_map(|(path, _)| path.strip_prefix("headshots/")).collect();
    let (mut used, mut guesses) = (BTreeSet::new(), 0);
    for PortraitFile { name, place, is_sound } in drafts.iter().filter_map(|draft| draft.portrait.as_ref()) {
        used.insert(name.as_str());
        if !is_sound {
            continue;
        }
        let is_reported = reported.contains(format!("headshots/{name}").as_str());
        if let Some(SourceFile::Portrait { picture, .. }) = sources.get(&format!("headshots/{name}")) {
            problems.extend(wrong_content(name, *picture, place));
        } else if !present.contains(name.as_str()) && !is_reported {
            let elsewhere = if guesses < MAX_GUESSES { misplaced(name, sources) } else { None };
            let near = if guesses < MAX_GUESSES { nearest(name, present.iter().copied()) } else { None };
            guesses += 1;
            used.extend(near);
            let hint = match (elsewhere, near) {
                (Some(path), _) => format!("Move {path} to headshots/.").into(),
                (None, Some(near)) => Advice::meant(format!("\"{near}\"")),
                (None, None) => "Put the file there, or delete this line: a portrait is optional.".into(),
            };
            problems
                .push(Problem::error(place.clone(), format!("headshots/{name} doesn't exist.")).hint(hint));
        }
    }
    if *all_providers_read {
        let named = drafts.iter().filter_map(|draft| Some((draft.slug.as_str(), draft.portrait.as_ref()?)));
        let by_slug: BTreeMap<&str, &PortraitFile> = named.collect();
        for name in present.difference(&used) {
            let slug = name.rsplit_once('.').map_or(*name, |(slug, _)| slug);
            if let Some(other) = by_slug.get(slug) {
                let what = format!("headshots/{name} has this clinician's name, but isn't used.");
                let advice = Advice::write(format!("\"{name}\""));
                problems.push(Problem::warning(other.place.clone(), what).hint(advice));
                continue;
            }
            let has_file = |folder| sources.get(&format!("{folder}/{slug}.toml")).is_some();
            // What is said of hours without a clinician names it.
            if has_file("availability") && !has_file("providers") {
                continue;
            }
            let place = FileSpan::file(&format!("headshots/{name}"));
            let warning = Problem::warning(place, "No clinician uses this portrait, so it isn't published.");
            problems.push(warning.hint("Delete it, or name it in a clinician's file: headshot = \"…\""));
        }
    }
}

/// A picture with this name in another folder.
fn misplaced<'a>(name: &str, sources: &'a Sources) -> Option<&'a str> {
    sources.iter().map(|(path, _)| path).find(|path| path.rsplit('/').next() == Some(name))
}

/// The problem of a portrait whose content has another format than its extension: browsers look at both.
fn wrong_content(name: &str, picture: Picture, place: &FileSpan) -> Option<Problem> {
    let (stem, ending) = name.rsplit_once('.')?;
    let convert = "Open it in Preview, Photos, or Paint, export it as JPEG, and replace this file with the \
                   export. Renaming doesn't convert it.";
    let (what, advice) = match picture {
        Picture::Unusable(error) => {
            let advice = match error {
                PhotoError::Damaged => {
                    "Copy it from its source again. If that doesn't help, open it in Preview, Photos, or \
                     Paint and export it as JPEG."
                }
                PhotoError::TooManyPixels { .. } => "Save a smaller copy; 600 × 600 pixels is enough.",
                PhotoError::ForPrinters => {
                    "Ask the person who made it for an RGB JPEG for websites, and replace this file with \
                     it. Browsers would show the wrong colors."
                }
            };
            (format!("headshots/{name} is {error}."), advice.into())
        }
        Picture::Photograph(_) if !ending.eq_ignore_ascii_case("svg") => return None,
        Picture::Drawing if ending.eq_ignore_ascii_case("svg") => return None,
        Picture::Photograph(_) | Picture::Drawing => {
            let is_drawing = picture == Picture::Drawing;
            let (found, right) =
                if is_drawing { ("a drawing (SVG)", "svg") } else { ("a photograph", "jpg") };
            let meant = format!("{stem}.{right}");
            let advice = Advice::from(format!("Rename the file to {meant}, and write \"{meant}\" here."));
            (format!("headshots/{name} contains {found}, not {ending}."), advice)
        }
        Picture::Unsupported(found) => {
            (format!("headshots/{name} is {found}, which browsers don't show."), convert.into())
        }
        Picture::Other(found) => {
            let hint = "Replace it with the picture itself: a png, jpg, webp, or svg file.";
            (format!("headshots/{name} is {found}, not a picture."), hint.into())
        }
    };
    Some(Problem::error(place.clone(), what).hint(advice))
}
