//! Rules on two clinicians' entries.

use std::collections::HashMap;

use crate::names::tokens;
use directory::model::{Directory, Provider, folded};
use directory::statements::{Finding, Place, Rule, Strength, Witness};

pub(crate) fn findings(directory: &Directory) -> Vec<Finding> {
    let mut found = twins(directory);
    found.extend(copied(directory));
    found
}

fn twins(directory: &Directory) -> Vec<Finding> {
    let mut by_name: HashMap<String, Vec<&Provider>> = HashMap::new();
    for provider in directory.providers() {
        by_name.entry(folded(&provider.display_name)).or_default().push(provider);
    }
    let mut found = Vec::new();
    for namesakes in by_name.values().filter(|namesakes| namesakes.len() > 1) {
        for (at, second) in namesakes.iter().enumerate() {
            let is_same = |first: &&&Provider| {
                !first.education.is_empty()
                    && first.education == second.education
                    && !first.licensed.intersection(second.licensed).is_empty()
                    && (first.npi.is_none() || second.npi.is_none())
            };
            let Some(first) = namesakes[..at].iter().find(is_same) else { continue };
            let what = format!(
                "{} and {} have the same name, the same education and a state in common: probably one person",
                first.slug, second.slug
            );
            let advice = "write the NPI of each into its file if they are two; else delete one file, and add its slug to the \
                          `former-slugs` of the other";
            let place = Place::key(second, "display-name");
            let rule = (Rule::Twin, Strength::Likely);
            let finding = Finding::new(rule, second, place, what, advice, &[first.slug.as_str()]);
            found.push(finding.against(Witness::Content(Place::key(first, "display-name"))));
        }
    }
    found
}

/// A biography that begins with a colleague's name and has no part of the clinician's own.
fn copied(directory: &Directory) -> Vec<Finding> {
    // The first two words without titles. Names of one word are left out: a biography may begin with one by chance.
    let opening = |text: &str| {
        let mut words = tokens(text).into_iter().filter(|word| !["dr", "doctor"].contains(&word.as_str()));
        Some((words.next()?, words.next()?))
    };
    let colleagues: HashMap<_, &Provider> = directory
        .providers()
        .iter()
        .filter_map(|provider| Some((opening(&provider.display_name)?, provider)))
        .collect();
    let mut found = Vec::new();
    for provider in directory.providers() {
        let Some(colleague) = opening(&provider.bio).and_then(|words| colleagues.get(&words)) else {
            continue;
        };
        let bio = tokens(&provider.bio);
        let is_title = |word: &&String| ["dr", "doctor"].contains(&word.as_str());
        let begins_with_name =
            bio[bio.iter().take_while(is_title).count()..].starts_with(&tokens(&colleague.display_name));
        if colleague.slug == provider.slug
            || !begins_with_name
            || tokens(&provider.display_name).iter().any(|own| bio.contains(own))
        {
            continue;
        }
        let what = format!(
            "the biography of {} begins with the name of {}, and does not name {}",
            provider.slug, colleague.display_name, provider.display_name
        );
        let place = Place::key(provider, "bio").part(&colleague.display_name);
        let advice = format!("write the biography of {}", provider.display_name);
        let rule = (Rule::BioCopied, Strength::Likely);
        let finding = Finding::new(rule, provider, place, what, advice, &[colleague.slug.as_str()]);
        found.push(finding.against(Witness::Content(Place::key(colleague, "bio"))));
    }
    found
}
