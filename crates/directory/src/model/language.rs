//! The languages that clinicians speak.

use std::str::FromStr;

use super::folded;

/// Each language's English name and code, by name: those of ISO 639-1, and three spoken by many patients that only
/// ISO 639-3 tells apart.
#[rustfmt::skip]
const LANGUAGES: [(&str, &str); 186] = [
    ("Abkhazian", "ab"), ("Afar", "aa"), ("Afrikaans", "af"), ("Akan", "ak"), ("Albanian", "sq"),
    ("American Sign Language", "ase"), ("Amharic", "am"), ("Arabic", "ar"), ("Aragonese", "an"), ("Armenian", "hy"),
    ("Assamese", "as"), ("Avaric", "av"), ("Avestan", "ae"), ("Aymara", "ay"), ("Azerbaijani", "az"),
    ("Bambara", "bm"), ("Bashkir", "ba"), ("Basque", "eu"), ("Belarusian", "be"), ("Bengali", "bn"),
    ("Bislama", "bi"), ("Bosnian", "bs"), ("Breton", "br"), ("Bulgarian", "bg"), ("Burmese", "my"),
    ("Cantonese", "yue"), ("Catalan", "ca"), ("Central Khmer", "km"), ("Chamorro", "ch"), ("Chechen", "ce"),
    ("Chichewa", "ny"), ("Chinese", "zh"), ("Church Slavic", "cu"), ("Chuvash", "cv"), ("Cornish", "kw"),
    ("Corsican", "co"), ("Cree", "cr"), ("Croatian", "hr"), ("Czech", "cs"), ("Danish", "da"),
    ("Divehi", "dv"), ("Dutch", "nl"), ("Dzongkha", "dz"), ("English", "en"), ("Esperanto", "eo"),
    ("Estonian", "et"), ("Ewe", "ee"), ("Faroese", "fo"), ("Fijian", "fj"), ("Finnish", "fi"),
    ("French", "fr"), ("Fulah", "ff"), ("Gaelic", "gd"), ("Galician", "gl"), ("Ganda", "lg"),
    ("Georgian", "ka"), ("German", "de"), ("Greek", "el"), ("Guarani", "gn"), ("Gujarati", "gu"),
    ("Haitian Creole", "ht"), ("Hausa", "ha"), ("Hebrew", "he"), ("Herero", "hz"), ("Hindi", "hi"),
    ("Hiri Motu", "ho"), ("Hungarian", "hu"), ("Icelandic", "is"), ("Ido", "io"), ("Igbo", "ig"),
    ("Indonesian", "id"), ("Interlingua", "ia"), ("Interlingue", "ie"), ("Inuktitut", "iu"), ("Inupiaq", "ik"),
    ("Irish", "ga"), ("Italian", "it"), ("Japanese", "ja"), ("Javanese", "jv"), ("Kalaallisut", "kl"),
    ("Kannada", "kn"), ("Kanuri", "kr"), ("Kashmiri", "ks"), ("Kazakh", "kk"), ("Kikuyu", "ki"),
    ("Kinyarwanda", "rw"), ("Komi", "kv"), ("Kongo", "kg"), ("Korean", "ko"), ("Kuanyama", "kj"),
    ("Kurdish", "ku"), ("Kyrgyz", "ky"), ("Lao", "lo"), ("Latin", "la"), ("Latvian", "lv"),
    ("Limburgan", "li"), ("Lingala", "ln"), ("Lithuanian", "lt"), ("Luba-Katanga", "lu"), ("Luxembourgish", "lb"),
    ("Macedonian", "mk"), ("Malagasy", "mg"), ("Malay", "ms"), ("Malayalam", "ml"), ("Maltese", "mt"),
    ("Mandarin", "cmn"), ("Manx", "gv"), ("Maori", "mi"), ("Marathi", "mr"), ("Marshallese", "mh"),
    ("Mongolian", "mn"), ("Nauru", "na"), ("Navajo", "nv"), ("Ndonga", "ng"), ("Nepali", "ne"),
    ("North Ndebele", "nd"), ("Northern Sami", "se"), ("Norwegian", "no"), ("Norwegian Bokmål", "nb"),
    ("Norwegian Nynorsk", "nn"), ("Occitan", "oc"), ("Ojibwa", "oj"), ("Oriya", "or"), ("Oromo", "om"),
    ("Ossetian", "os"), ("Pali", "pi"), ("Pashto", "ps"), ("Persian", "fa"), ("Polish", "pl"),
    ("Portuguese", "pt"), ("Punjabi", "pa"), ("Quechua", "qu"), ("Romanian", "ro"), ("Romansh", "rm"),
    ("Rundi", "rn"), ("Russian", "ru"), ("Samoan", "sm"), ("Sango", "sg"), ("Sanskrit", "sa"),
    ("Sardinian", "sc"), ("Serbian", "sr"), ("Shona", "sn"), ("Sichuan Yi", "ii"), ("Sindhi", "sd"),
    ("Sinhala", "si"), ("Slovak", "sk"), ("Slovenian", "sl"), ("Somali", "so"), ("South Ndebele", "nr"),
    ("Southern Sotho", "st"), ("Spanish", "es"), ("Sundanese", "su"), ("Swahili", "sw"), ("Swati", "ss"),
    ("Swedish", "sv"), ("Tagalog", "tl"), ("Tahitian", "ty"), ("Tajik", "tg"), ("Tamil", "ta"),
    ("Tatar", "tt"), ("Telugu", "te"), ("Thai", "th"), ("Tibetan", "bo"), ("Tigrinya", "ti"),
    ("Tonga", "to"), ("Tsonga", "ts"), ("Tswana", "tn"), ("Turkish", "tr"), ("Turkmen", "tk"),
    ("Twi", "tw"), ("Uighur", "ug"), ("Ukrainian", "uk"), ("Urdu", "ur"), ("Uzbek", "uz"),
    ("Venda", "ve"), ("Vietnamese", "vi"), ("Volapük", "vo"), ("Walloon", "wa"), ("Welsh", "cy"),
    ("Western Frisian", "fy"), ("Wolof", "wo"), ("Xhosa", "xh"), ("Yiddish", "yi"), ("Yoruba", "yo"),
    ("Zhuang", "za"), ("Zulu", "zu"),
];

/// Other common names, folded, and the code of the language.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("asl", "ase"),
    ("castilian", "es"),
    ("farsi", "fa"),
    ("filipino", "tl"),
    ("flemish", "nl"),
    ("haitian", "ht"),
    ("khmer", "km"),
    ("panjabi", "pa"),
    ("pushto", "ps"),
];

/// Names that patients use and content does not, folded, and the code of the language.
const ASKED_NAMES: [(&str, &str); 19] = [
    ("aleman", "de"),
    ("arabe", "ar"),
    ("cantonese chinese", "yue"),
    ("chinese mandarin", "cmn"),
    ("chino", "zh"),
    ("coreano", "ko"),
    ("creole", "ht"),
    ("deutsch", "de"),
    ("espanol", "es"),
    ("frances", "fr"),
    ("francais", "fr"),
    ("ingles", "en"),
    ("lengua de senas", "ase"),
    ("lenguaje de senas", "ase"),
    ("mandarin chinese", "cmn"),
    ("portugues", "pt"),
    ("ruso", "ru"),
    ("sign language", "ase"),
    ("vietnamita", "vi"),
];

/// A language of the table. Languages are ordered by English name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a language is its English name or two-letter code (ISO 639-1), such as \"Spanish\" or \"es\"")]
pub struct LanguageError;

impl Language {
    pub fn all() -> impl Iterator<Item = Self> {
        (0..).zip(&LANGUAGES).map(|(number, _)| Self(number))
    }

    pub fn name(self) -> &'static str {
        LANGUAGES[self.index()].0
    }

    /// The code for machines: a BCP 47 language subtag.
    pub fn code(self) -> &'static str {
        LANGUAGES[self.index()].1
    }

    /// The English name, and other common names without case and accents.
    pub(crate) fn names(self) -> impl Iterator<Item = &'static str> {
        let others = OTHER_NAMES.iter().filter(move |(_, code)| *code == self.code());
        std::iter::once(self.name()).chain(others.map(|(name, _)| *name))
    }

    /// What a patient means, who may name a language in Spanish. Those who ask for Chinese may mean one that content tells
    /// apart, so there may be several, the likeliest first.
    pub(crate) fn meant(text: &str) -> impl Iterator<Item = Self> {
        let wanted = folded(text.trim());
        let asked = ASKED_NAMES.iter().find(|(name, _)| *name == wanted).map_or(text, |(_, code)| code);
        let first: Option<Self> = asked.parse().ok();
        let chinese = first.filter(|language| language.code() == "zh").map(|_| ["cmn", "yue"]);
        first.into_iter().chain(chinese.into_iter().flatten().filter_map(|code| code.parse().ok()))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wanted = folded(text.trim());
        let other = OTHER_NAMES.iter().find(|(name, _)| *name == wanted).map(|(_, code)| *code);
        let is_meant = |language: &Self| {
            other == Some(language.code()) || language.code() == wanted || folded(language.name()) == wanted
        };
        Self::all().find(is_meant).ok_or(LanguageError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_found_by_name_and_code() {
        for (text, name, code) in [
            ("Spanish", "Spanish", "es"),
            (" spanish ", "Spanish", "es"),
            ("ES", "Spanish", "es"),
            ("Farsi", "Persian", "fa"),
            ("asl", "American Sign Language", "ase"),
            ("norwegian bokmal", "Norwegian Bokmål", "nb"),
        ] {
            let language: Language = text.parse().unwrap();
            assert_eq!((language.name(), language.code()), (name, code), "{text}");
        }
        for text in ["", "Klingon", "español", "e", "xx"] {
            assert_eq!(text.parse::<Language>(), Err(LanguageError), "{text}");
        }
    }

    #[test]
    fn patients_name_languages_in_other_ways() {
        for (text, codes) in [
            ("Chinese", vec!["zh", "cmn", "yue"]),
            ("zh", vec!["zh", "cmn", "yue"]),
            ("Mandarin Chinese", vec!["cmn"]),
            ("español", vec!["es"]),
            ("Sign language", vec!["ase"]),
            ("ASL", vec!["ase"]),
            ("Klingon", vec![]),
        ] {
            assert_eq!(Language::meant(text).map(Language::code).collect::<Vec<_>>(), codes, "{text}");
        }
    }

    #[test]
    fn names_ascend_and_codes_are_unique() {
        assert!(LANGUAGES.is_sorted());
        let codes: std::collections::BTreeSet<_> = LANGUAGES.iter().map(|(_, code)| code).collect();
        assert_eq!(codes.len(), LANGUAGES.len());
        for (_, code) in OTHER_NAMES.into_iter().chain(ASKED_NAMES) {
            assert!(codes.contains(&code), "{code}");
        }
    }
}
