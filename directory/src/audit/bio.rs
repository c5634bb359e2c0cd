//! Compares a biography with the entry. A finding is likely if the grammar of a sentence says so, otherwise a question.
//! It is never certain.

use std::collections::HashMap;
use std::sync::LazyLock;

use chrono::NaiveDate;
use rayon::prelude::*;
use regex::Regex;

use super::finding::{Finding, Place, Rule, Step, Strength, Witness};
use super::kinds::kind_words;
use super::names::tokens;
use super::sentence::{Sentence, pattern, sentences};
use super::states_in::{leading_states, states_in};
use crate::model::{Directory, Gender, PlanNumber, Provider, ProviderType, StateCode, StateSet};

/// How often the other gender's pronouns must occur, in a biography where the clinician's own never do.
const PRONOUNS: usize = 4;

macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)+) => {
        $($(#[$doc])* static $name: LazyLock<Option<Regex>> = LazyLock::new(|| pattern($text));)+
        #[cfg(test)]
        fn all_patterns() -> Vec<&'static Option<Regex>> { vec![$(&*$name),+] }
    };
}

patterns! {
    /// A biography without any of these words has no sentence to check: each match of a pattern below has one.
    TRIGGERS = r"(?i)licen[sc]|practi[cs]|patient|clients|new people|sees\b|seeing|treats|care|looks after|welcomes|tak(?:es|ing)|accept|participates|contract|bills|network|insur|plan|cover|physician|doctor|nurse|obstetrician|gynecologist|internist|leave|sabbatical|maternity|retir|relocat|return|join|start|back|away|office|full|capacity|clos|wait(?:ing)? ?list|panel|referral|telehealth|visit|appointment|available|serve|serving|credential";
    LICENSED = r"(?i)\b(?:licen[sc]ed(?: to practi[cs]e)?(?: medicine)?(?: as an? [a-z ]{1,30}?)?(?: both)? in|hold(?:s|ing)? (?:an? |active |current |full )*licen[sc]es?(?: to practi[cs]e)?(?: in| for)|licen[sc]ure in) ";
    SEES = r"(?i)\b(?:sees|treats|cares for|looks after|welcomes|accepts|takes|is seeing|is accepting|is taking|practi[cs]es|is available to) (?:new |adult |established )*(?:patients |medicine |people |women |telehealth )*(?:by video |online |virtually |from )*(?:who (?:live|are) )?(?:in|across|throughout) ";
    /// Words with which a sentence may say where the clinician practises.
    WORK = r"(?i)\b(?:licen[sc]\w*|patients?|practi[cs]\w*|appointments?|visits?|telehealth|available|serves?|serving|covers?|credential\w*|care)\b";
    TAKES = r"(?i)\b(?:takes|accepts|accepting|is accepting|in[- ]network (?:with|for)|participates (?:in|with)|contracts with|is contracted with|bills)\b";
    CLOSED = r"(?i)\b(?:(?:not|no longer) (?:currently |presently |now )?(?:be )?(?:accepting|taking|seeing|open to|able to (?:take|accept|see)) (?:on )?(?:any )?new (?:patients|clients|people)|do(?:es)?(?: not|n['’]t) (?:currently )?(?:accept|take|see) (?:any )?new (?:patients|clients)|no new (?:patients|clients)|closed to new (?:patients|clients)|(?:panel|practice|schedule|calendar) is (?:currently |now )?(?:full|closed))\b";
    /// Words that may mean a closed practice.
    PERHAPS_CLOSED = r"(?i)\b(?:wait(?:ing)? ?list|panel|fully booked|at capacity|by referral only|existing patients only|current patients only)\b";
    LEAVE = r"(?i)\bon (?:[a-z]+ ){0,2}(?:leave|sabbatical)(?: from [a-z]+)?(?:,? (?:until|through|till|ending in) (?:early |late |mid-?|the end of )?(january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}\b,?)?(?: (\d{4}))?)?";
    RETURNS = r"(?i)\b(?:returns|will return|returning|comes back|will be back|is back|rejoins|joins|will join|is joining|will be joining|starts|will start|retires|will retire|is retiring)\b(?: [a-z']+){0,5}? (?:in|on|this|next) (?:early |late )?(january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{1,2}\b,?)?(?: (\d{4}))?";
    /// Words that may mean something temporary.
    PERHAPS_STALE = r"(?i)\b(?:on leave|sabbatical|maternity|parental leave|retires|retiring|relocating|away until|out of the office)\b";
    KIND = r"(?i)^(?:\W*)((?:dr\.? )?[\p{L}'’-]+(?: [\p{L}'’-]+){0,3}) is an? (?:[\p{L}-]+,? (?:and )?){0,4}?(physician|doctor|obstetrician|gynecologist|internist|family medicine doctor|nurse practitioner)\b";
}

/// What the check of every biography needs.
struct Known<'a> {
    directory: &'a Directory,
    today: NaiveDate,
    /// The plans by the first word of their brand.
    brands: HashMap<String, Vec<(Vec<String>, PlanNumber)>>,
}

pub(super) fn findings(directory: &Directory, today: NaiveDate) -> Vec<Finding> {
    let known = Known { directory, today, brands: brands(directory) };
    let found = directory.providers().par_iter().map(|provider| known.biography(provider));
    found.collect::<Vec<_>>().into_iter().flatten().collect()
}

/// The plans by the first word of their brand, which is the name without the product at its end.
fn brands(directory: &Directory) -> HashMap<String, Vec<(Vec<String>, PlanNumber)>> {
    const PRODUCTS: [&str; 16] = [
        "ppo",
        "hmo",
        "epo",
        "pos",
        "plan",
        "plus",
        "choice",
        "advantage",
        "health",
        "community",
        "of",
        "select",
        "gold",
        "silver",
        "bronze",
        "network",
    ];
    let mut brands: HashMap<String, Vec<(Vec<String>, PlanNumber)>> = HashMap::new();
    for number in directory.plan_numbers() {
        let mut words = tokens(directory.plan(number).as_str());
        let is_product = |word: &String| {
            PRODUCTS.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit())
        };
        while words.len() > 1 && words.last().is_some_and(is_product) {
            words.pop();
        }
        if let Some(first) = words.first().cloned() {
            brands.entry(first).or_default().push((words, number));
        }
    }
    brands
}

impl Known<'_> {
    fn biography(&self, provider: &Provider) -> Vec<Finding> {
        let mut found: Vec<_> = pronoun(provider).into_iter().collect();
        if !find(&TRIGGERS, provider.bio()) {
            return found;
        }
        for sentence in sentences(provider.bio()) {
            found.extend(kind(provider, sentence));
            found.extend(state(provider, sentence));
            found.extend(self.plan(provider, sentence));
            found.extend(closed(provider, sentence));
            found.extend(self.stale(provider, sentence));
        }
        found
    }

    fn plan(&self, provider: &Provider, sentence: Sentence<'_>) -> Option<Finding> {
        let words = tokens(sentence.text);
        let named = words.iter().enumerate().find_map(|(at, word)| {
            let known = self.brands.get(word)?;
            let mut of_brand = known.iter().filter(|(brand, _)| words[at..].starts_with(brand));
            let (brand, plan) = of_brand.clone().max_by_key(|(brand, _)| brand.len())?;
            let taken = provider.plans();
            let is_taken = of_brand.any(|(_, plan)| taken.contains(plan));
            (!is_taken).then_some((brand, *plan))
        });
        let (brand, plan) = named?;
        // The brand has a capital letter: "Harbor" is a plan, a "harbor" is not.
        let place = sentence
            .text
            .split(|c: char| !c.is_alphanumeric())
            .find(|word| word.starts_with(char::is_uppercase) && crate::model::folded(word) == brand[0])?;
        let at = sentence.text.find(place)?;
        let takes = TAKES.as_ref().and_then(|takes| takes.find(&sentence.text[..at]));
        let name = self.directory.plan(plan).as_str();
        let (strength, what) = match takes {
            Some(takes) if sentence.is_plain_before(at) => (
                Strength::Likely,
                format!(
                    "the biography says \"{} {place}\", and \"{name}\" is not taken in any state",
                    takes.as_str()
                ),
            ),
            None if sentence.is_about_work_today()
                && ["insur", "plan", "network", "cover"]
                    .iter()
                    .any(|word| sentence.text.to_lowercase().contains(word)) =>
            {
                (
                    Strength::Question,
                    format!("the biography names {place}, and \"{name}\" is not taken; is that right?"),
                )
            }
            _ => return None,
        };
        let bio = Place::key(provider, "bio").part(place);
        let advice = format!("add \"{name}\" to [insurance], or correct the biography");
        Some(Finding::new((Rule::BioPlan, strength), provider, bio, what, advice, &[name, sentence.text]))
    }

    fn stale(&self, provider: &Provider, sentence: Sentence<'_>) -> Option<Finding> {
        let finding = |strength: Strength, part: &str, what: String| {
            let place = Place::key(provider, "bio").part(part);
            let advice = "rewrite the biography, or leave `accepting` empty while it is true";
            Some(Finding::new(
                (Rule::BioStale, strength),
                provider,
                place,
                what,
                advice,
                &[part, sentence.text],
            ))
        };
        if sentence.is_past_or_family() {
            return None;
        }
        let leave = LEAVE.as_ref().and_then(|pattern| pattern.captures(sentence.text));
        if let Some(leave) = leave {
            let part = leave.get(0).map_or("", |part| part.as_str());
            if self.is_over(leave.get(1), leave.get(2)) == Some(true) {
                return finding(
                    Strength::Likely,
                    part,
                    format!("the biography says \"{part}\", and that is over"),
                );
            }
            let is_accepting = !provider.accepting().is_empty();
            let is_now = sentence.is_plain_before(leave.get(0)?.start());
            return match (is_accepting, is_now) {
                (true, true) => finding(
                    Strength::Likely,
                    part,
                    format!("the biography says \"{part}\", and new patients are accepted"),
                ),
                (true, false) => finding(
                    Strength::Question,
                    part,
                    format!("the biography says \"{part}\"; is the sentence still right?"),
                ),
                (false, _) => None,
            };
        }
        if let Some(returns) = RETURNS.as_ref().and_then(|pattern| pattern.captures(sentence.text)) {
            let part = returns.get(0).map_or("", |part| part.as_str());
            return match self.is_over(returns.get(1), returns.get(2)) {
                Some(true) => finding(
                    Strength::Likely,
                    part,
                    format!("the biography says \"{part}\", and that is over"),
                ),
                Some(false) => None,
                None => finding(
                    Strength::Question,
                    part,
                    format!("the biography says \"{part}\" without a year; is the sentence still right?"),
                ),
            };
        }
        let part = PERHAPS_STALE.as_ref()?.find(sentence.text)?.as_str();
        finding(
            Strength::Question,
            part,
            format!("the biography says \"{part}\"; is the sentence still right?"),
        )
    }

    /// Whether a month of a year is over; `None` without a year.
    fn is_over(&self, month: Option<regex::Match<'_>>, year: Option<regex::Match<'_>>) -> Option<bool> {
        const MONTHS: [&str; 12] = [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ];
        let month =
            MONTHS.iter().position(|name| *name == month.map_or("", |m| m.as_str()).to_lowercase())?;
        let year: i32 = year?.as_str().parse().ok()?;
        // The first day of the month after it.
        let after = match u32::try_from(month).ok()? + 2 {
            13 => NaiveDate::from_ymd_opt(year + 1, 1, 1),
            next => NaiveDate::from_ymd_opt(year, next, 1),
        }?;
        Some(after <= self.today)
    }
}

/// A state that the biography names and in which the clinician is not licensed.
fn state(provider: &Provider, sentence: Sentence<'_>) -> Option<Finding> {
    let is_missing = |state: &StateCode| !provider.licensed().contains(*state);
    let claims = [&*LICENSED, &*SEES].into_iter().flatten();
    for claim in claims.filter_map(|pattern| pattern.find(sentence.text)) {
        let states = leading_states(&sentence.text[claim.end()..]);
        if let Some(state) = states.into_iter().find(is_missing)
            && sentence.is_plain_before(claim.start())
        {
            let what = format!(
                "the biography says \"{}{}\", and {} is not in `licensed`",
                claim.as_str(),
                state.name(),
                state.code()
            );
            return Some(state_finding(provider, (Strength::Likely, sentence), state, what));
        }
    }
    if !find(&WORK, sentence.text) || !sentence.is_about_work_today() {
        return None;
    }
    let state = states_in(sentence.text).into_iter().find(is_missing)?;
    let what = format!(
        "the biography names {}, and {} is not in `licensed`; is the sentence still right?",
        state.name(),
        state.code()
    );
    Some(state_finding(provider, (Strength::Question, sentence), state, what))
}

fn find(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
}

fn state_finding(
    provider: &Provider,
    (strength, sentence): (Strength, Sentence<'_>),
    state: StateCode,
    what: String,
) -> Finding {
    let place = Place::key(provider, "bio").part(state.name());
    let advice = format!("add \"{state}\" to `licensed` if there is a licence, or correct the biography");
    let values = [state.code(), sentence.text];
    let finding = Finding::new((Rule::BioState, strength), provider, place, what, advice, &values);
    finding.against(Witness::Content(Place::key(provider, "licensed")))
}

fn pronoun(provider: &Provider) -> Option<Finding> {
    let is_of = |word: &str, own: &[&str]| own.iter().any(|known| word.eq_ignore_ascii_case(known));
    let (hers, his) = (["she", "her", "hers", "herself"], ["he", "him", "his", "himself"]);
    let (other, own) = match provider.gender() {
        Gender::Female => (his, hers),
        Gender::Male => (hers, his),
        Gender::NonBinary | Gender::Other | Gender::PreferNotToSay => return None,
    };
    let count = |list: &[&str]| {
        provider.bio().split(|c: char| !c.is_alphanumeric()).filter(|word| is_of(word, list)).count()
    };
    let others = count(&other);
    if others < PRONOUNS || count(&own) > 0 {
        return None;
    }
    let what = format!(
        "the biography says \"{}\" and the like {others} times, never \"{}\", and the gender is {}",
        other[0],
        own[0],
        provider.gender()
    );
    let place = Place::key(provider, "gender");
    let values = [provider.gender().word(), provider.bio()];
    let rule = (Rule::BioPronoun, Strength::Likely);
    let finding = Finding::new(rule, provider, place, what, "correct `gender`, or the biography", &values);
    Some(finding.against(Witness::Content(Place::key(provider, "bio"))))
}

fn kind(provider: &Provider, sentence: Sentence<'_>) -> Option<Finding> {
    let said = KIND.as_ref()?.captures(sentence.text)?;
    let (subject, word) = (said.get(1)?.as_str(), said.get(2)?.as_str());
    let named = match word.to_lowercase().as_str() {
        "nurse practitioner" => ProviderType::NursePractitioner,
        // A nurse practitioner may be a doctor of nursing.
        "doctor" => return None,
        _ => ProviderType::Physician,
    };
    let own = tokens(provider.display_name());
    let is_subject = tokens(subject)
        .iter()
        .all(|word| ["dr", "she", "he", "they"].contains(&word.as_str()) || own.contains(word));
    // "He is a physician", of her husband.
    let is_of_another = match provider.gender() {
        Gender::Female => subject.eq_ignore_ascii_case("he"),
        Gender::Male => subject.eq_ignore_ascii_case("she"),
        Gender::NonBinary | Gender::Other | Gender::PreferNotToSay => false,
    };
    if named == provider.provider_type() || !is_subject || is_of_another || sentence.is_past_or_family() {
        return None;
    }
    let what = format!(
        "the biography says \"is a … {word}\", and {} is listed as {}",
        provider.display_name(),
        kind_words(provider.provider_type())
    );
    let place = Place::key(provider, "bio").part(word);
    let advice = "correct `provider-type`, or the biography";
    let rule = (Rule::BioType, Strength::Likely);
    let finding = Finding::new(rule, provider, place, what, advice, &[word, sentence.text]);
    Some(finding.against(Witness::Content(Place::of(provider, [Step::Key("provider-type")]))))
}

fn closed(provider: &Provider, sentence: Sentence<'_>) -> Option<Finding> {
    if provider.accepting().is_empty() {
        return None;
    }
    let named: StateSet = states_in(sentence.text).into_iter().collect();
    if !named.is_empty() && named.intersection(provider.accepting()).is_empty() {
        return None;
    }
    let (strength, part, end) = if let Some(said) = CLOSED.as_ref()?.find(sentence.text) {
        if sentence.is_past_or_family() {
            return None;
        }
        (Strength::Likely, said.as_str(), "")
    } else {
        let said = PERHAPS_CLOSED.as_ref()?.find(sentence.text)?;
        if sentence.is_past_or_family() {
            return None;
        }
        (Strength::Question, said.as_str(), "; is the sentence still right?")
    };
    let what = format!("the biography says \"{part}\", and new patients are accepted{end}");
    let place = Place::key(provider, "bio").part(part);
    let advice = "take the states out of `accepting`, or correct the biography";
    let values = [part, sentence.text];
    let finding = Finding::new((Rule::BioClosed, strength), provider, place, what, advice, &values);
    Some(finding.against(Witness::Content(Place::key(provider, "accepting"))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_pattern_compiles() {
        assert!(super::all_patterns().iter().all(|pattern| pattern.is_some()));
    }
}
