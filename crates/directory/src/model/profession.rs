//! The professions. Everything that names one reads this table: a new profession is a row of it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::words::words;
use super::{Gender, Language, folded};

/// A code of FHIR, and its display.
type Coding = (&'static str, &'static str);

struct Profession {
    english: &'static str,
    /// Of a man, of a woman, of anyone, and as a choice of a filter.
    spanish: [&'static str; 4],
    has_npi: bool,
    /// Whether states license its members.
    is_licensed: bool,
    /// What people type into the search of English and of Spanish pages, with commas between.
    typed: [&'static str; 2],
    /// Further words of the API's `q`.
    short: &'static str,
    /// Degrees and licenses that only this profession has.
    credentials: &'static [&'static str],
    /// How its codes in the NUCC's taxonomy begin.
    taxonomy: &'static [&'static str],
    /// Of Plan-Net's provider roles.
    role: Coding,
    /// Of the NUCC's taxonomy; `None` if the profession alone has no code.
    specialty: Option<Coding>,
    /// The codes of members with certain credentials.
    narrower: &'static [(&'static [&'static str], Coding, Coding)],
}

macro_rules! professions {
    ($($variant:ident = $word:literal { $($row:tt)+ })+) => {
        words! {
            /// A profession. The first two are the specification's.
            ProviderType { $($variant = $word),+ }
        }

        impl ProviderType {
            /// The English names, in the order of [`Self::WORDS`].
            pub const NAMES: &'static [&'static str] = &[$(Profession { $($row)+ }.english),+];

            fn row(self) -> &'static Profession {
                const ROWS: &[Profession] = &[$(Profession { $($row)+ }),+];
                &ROWS[self as usize]
            }
        }
    };
}

professions! {
    Physician = "physician" { english: "Physician", spanish: ["Médico", "Médica", "Profesional médico", "Médicas y médicos"], has_npi: true, is_licensed: true,
        typed: ["doctor, doctors, physician, physicians",
            "doctor, doctores, doctora, doctoras, dra, médico, médicos, médica, médicas"], short: "dr",
        credentials: &["MD", "DO", "MBBS", "MBCHB"], taxonomy: &["20"],
        role: ("ph", "Physician"), specialty: None, narrower: &[] }
    NursePractitioner = "nursePractitioner" { english: "Nurse practitioner", has_npi: true, is_licensed: true,
        spanish: ["Enfermero de práctica avanzada", "Enfermera de práctica avanzada", "Profesional de enfermería de práctica avanzada", "Enfermería de práctica avanzada"],
        typed: ["nurse practitioner, nurse practitioners, nurse, nurses, np",
            "enfermera de práctica avanzada, enfermero de práctica avanzada, enfermera, enfermeras, enfermero, enfermeros, enfermería"],
        short: "nps", credentials: &["NP", "APRN", "ARNP", "CRNP", "CNP", "FNP", "WHNP", "DNP", "PMHNP", "ANP", "AGPCNP", "GNP"],
        role: ("crnp", "Certified Registered Nurse Practitioner"), specialty: Some(("363L00000X", "Nurse Practitioner")),
        taxonomy: &["363L"], narrower: &[] }
    PhysicianAssistant = "physicianAssistant" { english: "Physician assistant", spanish: ["Asistente médico", "Asistente médica", "Profesional de asistencia médica", "Asistentes médicos"], has_npi: true,
        typed: ["physician assistant, physician assistants, physician associate, physician associates, pa, pas",
            "asistente médico, asistente médica, asistentes médicos, asistentes médicas"], short: "", is_licensed: true,
        credentials: &["PA", "RPA", "MPAS", "MSPAS"], taxonomy: &["363A"], narrower: &[],
        role: ("pa", "Physician Assistant"), specialty: Some(("363A00000X", "Physician Assistant")) }
    Psychologist = "psychologist" { english: "Psychologist", spanish: ["Psicólogo", "Psicóloga", "Profesional de psicología", "Psicólogos"], has_npi: true, is_licensed: true,
        typed: ["psychologist, psychologists", "psicólogo, psicólogos, psicóloga, psicólogas, psicología"], short: "",
        credentials: &["PSYD", "LP", "ABPP"], taxonomy: &["103T", "103G"], narrower: &[],
        role: ("py", "Psychologist"), specialty: Some(("103T00000X", "Psychologist")) }
    Therapist = "therapist" { english: "Therapist", spanish: ["Terapeuta", "Terapeuta", "Terapeuta", "Terapeutas"], has_npi: true, is_licensed: true,
        typed: ["therapist, therapists, psychotherapist, psychotherapists, counselor, counselors, lmft, lpc, lmhc",
            "terapeuta, terapeutas, psicoterapeuta, psicoterapeutas, consejero, consejeros, consejera, consejeras"],
        short: "therapy,psychotherapy,counseling,terapia,psicoterapia",
        credentials: &["LMFT", "MFT", "LCMFT", "LPC", "LPCC", "LCPC", "LMHC", "LCMHC", "LIMHP"], taxonomy: &["101Y", "106H"],
        role: ("co", "Counselor"), specialty: Some(("101Y00000X", "Counselor")),
        narrower: &[(&["LMFT", "MFT", "LCMFT"], ("mt", "Marriage/Family Therapist"), ("106H00000X", "Marriage & Family Therapist"))] }
    ClinicalSocialWorker = "clinicalSocialWorker" { english: "Clinical social worker", has_npi: true, is_licensed: true,
        spanish: ["Trabajador social clínico", "Trabajadora social clínica", "Profesional de trabajo social clínico", "Trabajadores sociales clínicos"],
        typed: ["clinical social worker, clinical social workers, social worker, social workers, lcsw, lcsws",
            "trabajador social clínico, trabajadora social clínica, trabajador social, trabajadores sociales, trabajadora social, \
             trabajadoras sociales, trabajo social"], short: "",
        credentials: &["LCSW", "LICSW", "LISW", "LCSWC", "LSCSW", "LCSWR"], taxonomy: &["1041"], narrower: &[],
        role: ("sw", "Social Worker"), specialty: Some(("1041C0700X", "Clinical Social Worker")) }
    RegisteredNurse = "registeredNurse" { english: "Registered nurse", spanish: ["Enfermero registrado", "Enfermera registrada", "Profesional de enfermería", "Enfermeros registrados"], has_npi: false,
        typed: ["registered nurse, registered nurses, rn, rns, nurse, nurses",
            "enfermera registrada, enfermeras registradas, enfermero registrado, enfermeros registrados, enfermera, enfermeras, \
             enfermero, enfermeros, enfermería"], short: "", is_licensed: true,
        credentials: &["RN"], taxonomy: &["163W"], narrower: &[],
        role: ("rn", "Registered Nurse"), specialty: Some(("163W00000X", "Registered Nurse")) }
    NurseMidwife = "nurseMidwife" { english: "Nurse midwife", spanish: ["Enfermero partero", "Enfermera partera", "Profesional de partería", "Enfermeras parteras"], has_npi: true, is_licensed: true,
        typed: ["nurse midwife, nurse midwives, midwife, midwives, cnm, cnms",
            "enfermera partera, enfermeras parteras, enfermero partero, partera, parteras, partero, parteros, partería, comadrona, \
             comadronas, matrona, matronas"], short: "",
        credentials: &["CNM"], taxonomy: &["367A"], narrower: &[],
        role: ("cnw", "Certified Nurse Midwife"), specialty: Some(("367A00000X", "Advanced Practice Midwife")) }
    Dietitian = "dietitian" { english: "Dietitian", spanish: ["Dietista", "Dietista", "Dietista", "Dietistas"], has_npi: true, is_licensed: true,
        typed: ["dietitian, dietitians, dietician, dieticians, nutritionist, nutritionists, rdn",
            "dietista, dietistas, nutricionista, nutricionistas, nutriólogo, nutrióloga"], short: "",
        credentials: &["RD", "RDN", "LD", "LDN", "CDN"], taxonomy: &["133V"], narrower: &[],
        role: ("dn", "Dietary and Nutritional Service Provider"), specialty: Some(("133V00000X", "Registered Dietitian")) }
    Pharmacist = "pharmacist" { english: "Pharmacist", spanish: ["Farmacéutico", "Farmacéutica", "Profesional de farmacia", "Farmacéuticos"], has_npi: true, is_licensed: true,
        typed: ["pharmacist, pharmacists", "farmacéutico, farmacéuticos, farmacéutica, farmacéuticas"], short: "",
        credentials: &["PHARMD", "RPH", "BCPS", "BCACP"], taxonomy: &["1835"], narrower: &[],
        role: ("rx", "Pharmacy Service Providers"), specialty: Some(("183500000X", "Pharmacist")) }
    PhysicalTherapist = "physicalTherapist" { english: "Physical therapist", spanish: ["Fisioterapeuta", "Fisioterapeuta", "Fisioterapeuta", "Fisioterapeutas"], has_npi: true, is_licensed: true,
        typed: ["physical therapist, physical therapists, physiotherapist, physiotherapists",
            "fisioterapeuta, fisioterapeutas, terapeuta físico, terapeuta física, terapeutas físicos"],
        short: "physical therapy,physiotherapy,fisioterapia",
        credentials: &["PT", "DPT", "MPT"], taxonomy: &["2251"], narrower: &[],
        role: ("pt", "Physical Therapist"), specialty: Some(("225100000X", "Physical Therapist")) }
    SpeechTherapist = "speechTherapist" { english: "Speech therapist", spanish: ["Terapeuta del habla", "Terapeuta del habla", "Terapeuta del habla", "Terapeutas del habla"], has_npi: true,
        typed: ["speech therapist, speech therapists, speech pathologist, speech pathologists, speech language pathologist, \
             speech language pathologists, slp",
            "terapeuta del habla, terapeutas del habla, logopeda, logopedas, fonoaudiólogo, fonoaudióloga, patólogo del habla, \
             patóloga del habla"], short: "speech therapy,terapia del habla", is_licensed: true,
        credentials: &["SLP", "CCC"], taxonomy: &["235Z"], narrower: &[],
        role: ("sp", "Speech Language Pathologist"), specialty: Some(("235Z00000X", "Speech-Language Pathologist")) }
    HealthCoach = "healthCoach" { english: "Health coach", spanish: ["Asesor de salud", "Asesora de salud", "Profesional de asesoría de salud", "Asesores de salud"], has_npi: false,
        typed: ["health coach, health coaches, wellness coach, wellness coaches, coach, coaches",
            "asesor de salud, asesores de salud, asesora de salud, asesoras de salud, coach de salud, coach"], short: "",
        credentials: &["NBC", "NBCHWC"], taxonomy: &["1714"], narrower: &[], is_licensed: false,
        role: ("os", "Other Service Provider"), specialty: Some(("171400000X", "Health & Wellness Coach")) }
}

/// The professions that a word of a search names, by the word without accents and spaces.
static TYPED: LazyLock<HashMap<String, Vec<ProviderType>>> = LazyLock::new(|| {
    let mut all: HashMap<String, Vec<ProviderType>> = HashMap::new();
    for &profession in ProviderType::ALL {
        let Profession { typed: [english, spanish], short, .. } = profession.row();
        let phrases = [english, spanish, short].into_iter().flat_map(|phrases| phrases.split(','));
        for phrase in phrases.filter(|phrase| !phrase.is_empty()) {
            let named = all.entry(folded(phrase).replace(' ', "")).or_default();
            if !named.contains(&profession) {
                named.push(profession);
            }
        }
    }
    all
});

/// What people write for several professions, or for a kind of one: the credentials tell which is meant.
const PERHAPS: [(&str, &[ProviderType]); 4] = [
    (
        "internist familydoctor familymedicine familypractitioner generalpractitioner gp pcp primarycare \
         primarycareprovider primarycaredoctor pediatrician obgyn gynecologist obstetrician psychiatrist dermatologist \
         cardiologist endocrinologist neurologist urologist geriatrician hospitalist surgeon specialist medicaldoctor \
         internalmedicine medico",
        &[ProviderType::Physician],
    ),
    (
        "shrink psych mentalhealth psychoanalyst talktherapist",
        &[
            ProviderType::Psychologist,
            ProviderType::Therapist,
            ProviderType::ClinicalSocialWorker,
            ProviderType::Physician,
        ],
    ),
    (
        "marriageandfamilytherapist marriagefamilytherapist familytherapist marriagecounselor mentalhealthcounselor \
         mentalhealththerapist counsellor",
        &[ProviderType::Therapist],
    ),
    ("provider clinician practitioner healthcareprovider proveedor", ProviderType::ALL),
];

impl ProviderType {
    /// Those of the specification, which every API lists.
    pub const SPECIFIED: [Self; 2] = [Self::Physician, Self::NursePractitioner];

    fn words_in<T>(language: Language, english: T, spanish: T) -> T {
        if language.code() == "es" { spanish } else { english }
    }

    pub fn english(self) -> &'static str {
        self.row().english
    }

    /// The profession of a clinician in words. Some languages have other words for a man and for a woman.
    pub fn name(self, language: Language, gender: Gender) -> &'static str {
        let [man, woman, anyone, _] = self.row().spanish;
        let spanish = match gender {
            Gender::Male => man,
            Gender::Female => woman,
            _ => anyone,
        };
        Self::words_in(language, self.english(), spanish)
    }

    pub fn choice(self, language: Language) -> &'static str {
        Self::words_in(language, self.english(), self.row().spanish[3])
    }

    /// What people type for it into a page's search, with commas between.
    pub fn typed(self, language: Language) -> &'static str {
        let [english, spanish] = self.row().typed;
        Self::words_in(language, english, spanish)
    }

    /// The profession within an English sentence: "nurse practitioner". All of them follow "a".
    pub fn in_a_sentence(self) -> String {
        self.english().to_lowercase()
    }

    /// Whether "doctor" on a page may mean its members.
    pub fn is_doctor(self) -> bool {
        self == Self::Physician
    }

    /// Whether its members usually have a national provider identifier.
    pub(crate) fn has_npi(self) -> bool {
        self.row().has_npi
    }

    pub fn is_licensed(self) -> bool {
        self.row().is_licensed
    }

    /// The role and the specialty of a member with these credentials, in FHIR.
    pub fn codes(self, credentials: &str) -> (Coding, Option<Coding>) {
        let Profession { role, specialty, narrower, .. } = self.row();
        let own = narrower.iter().find(|(known, ..)| has_one_of(credentials, known));
        own.map_or((*role, *specialty), |(_, role, specialty)| (*role, Some(*specialty)))
    }

    /// Whether a code of the NUCC's taxonomy is one of this profession's.
    pub fn has_taxonomy(self, code: &str) -> bool {
        self.row().taxonomy.iter().any(|prefix| code.starts_with(prefix))
    }

    pub(crate) fn has(self, credentials: &str) -> bool {
        has_one_of(credentials, self.row().credentials)
    }

    /// The other profession, if that one has these credentials and this one does not.
    pub(crate) fn other_with(self, credentials: &str) -> Option<Self> {
        Self::with(credentials).filter(|_| !self.has(credentials))
    }

    pub(crate) fn with(credentials: &str) -> Option<Self> {
        Self::ALL.iter().find(|profession| profession.has(credentials)).copied()
    }

    pub(crate) fn named(word: &str) -> &'static [Self] {
        TYPED.get(word).map_or(&[], Vec::as_slice)
    }

    /// The profession that a word means with certain credentials, and all that it can mean.
    pub(crate) fn perhaps(text: &str, credentials: &str) -> (Option<Self>, &'static [Self]) {
        let word = folded(text).replace([' ', '-', '/', '.'], "");
        let row = PERHAPS.iter().find(|(words, _)| words.split(' ').any(|known| word == known));
        let possible = row.map_or(&[][..], |(_, possible)| possible);
        (possible.iter().copied().find(|profession| profession.has(credentials)), possible)
    }

    pub(crate) fn meant_by(text: &str) -> Vec<Self> {
        let named = Self::named(&folded(text).replace([' ', '-'], ""));
        // Two letters may be wrong: an occupational therapist isn't a physical therapist.
        let is_typo =
            |word: &str| strsim::damerau_levenshtein(&text.to_lowercase(), &word.to_lowercase()) < 3;
        let is_meant = |profession: &Self| match named {
            // "Family nurse practitioner". Many are therapists of another kind.
            [] if *profession == Self::Therapist => profession.has(text),
            [] => {
                let is_kind = || folded(text).ends_with(&profession.in_a_sentence());
                profession.has(text) || is_typo(profession.word()) || is_kind()
            }
            named => named.contains(profession),
        };
        Self::ALL.iter().copied().filter(is_meant).collect()
    }
}

fn has_one_of(credentials: &str, known: &[&str]) -> bool {
    credential_words(credentials).any(|word| known.contains(&word.as_str()))
}

/// The credentials as words in capitals, without periods and without what follows a hyphen: "FNP-BC" is an FNP with
/// a certificate.
pub(crate) fn credential_words(credentials: &str) -> impl Iterator<Item = String> {
    let words = credentials.split([',', ' ', '/', ';']).filter(|word| !word.is_empty());
    words.map(|word| {
        let word = word.replace('.', "").to_uppercase();
        word.split('-').next().unwrap_or_default().to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::ProviderType::{NursePractitioner, Physician, Psychologist, Therapist};
    use super::*;

    #[test]
    fn a_kind_of_a_profession_means_it_but_many_are_therapists() {
        for (word, expected) in [
            ("Family nurse practitioner", &[NursePractitioner][..]),
            ("Family physician", &[Physician]),
            ("Massage therapist", &[]),
        ] {
            assert_eq!(ProviderType::meant_by(word), expected, "{word}");
        }
    }

    #[test]
    fn credentials_tell_what_a_word_for_several_professions_means() {
        for (word, credentials, expected) in [
            ("Internist", "MD", Some(Physician)),
            ("OB/GYN", "D.O., FACOG", Some(Physician)),
            ("Primary care provider", "MD, PhD", Some(Physician)),
            ("shrink", "PsyD", Some(Psychologist)),
            ("Shrink", "LMFT", Some(Therapist)),
            ("Marriage and family therapist", "LMFT", Some(Therapist)),
            ("Marriage and family therapist", "MD", None),
            ("Provider", "MSN, FNP-BC", Some(NursePractitioner)),
            ("Internist", "MSN, FNP-BC", None),
            ("acupuncturist", "MD", None),
            ("", "MD", None),
        ] {
            assert_eq!(ProviderType::perhaps(word, credentials).0, expected, "{word}, {credentials}");
        }
    }
}
