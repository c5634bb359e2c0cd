//! Enumerations that content and answers write as words.

/// Defines an enumeration by its published words, which parse in any ASCII case.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every value, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            pub fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl std::str::FromStr for $name {
            type Err = &'static [&'static str];

            /// The error is the list of allowed words.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|value| value.word().eq_ignore_ascii_case(text));
                found.copied().ok_or(Self::WORDS)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.word())
            }
        }
    };
}

pub(crate) use words;
