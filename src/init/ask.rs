//! The questions of `nameplate init`, each of which a flag answers, too.

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use crate::outcome::Refusal;

/// Where questions are asked. Nothing is asked unless a person is at the terminal.
pub(super) struct Console<'a> {
    pub(super) input: &'a mut dyn BufRead,
    pub(super) output: &'a mut dyn Write,
    pub(super) is_terminal: bool,
}

impl Console<'_> {
    /// A flag's answer, or that to the question `asks`; `None` without one. On a terminal, what `read` refuses is asked again.
    pub(super) fn ask<T>(
        &mut self,
        (flag, asks): (&str, &str),
        given: Option<&str>,
        mut read: impl FnMut(&str) -> Result<T, Refusal>,
    ) -> Result<Option<T>, Refusal> {
        let mut given = given.map(str::to_owned);
        loop {
            let is_flag = given.is_some();
            let answer = match given.take() {
                Some(given) => given,
                None if !self.is_terminal => return Ok(None),
                None => match self.line(asks)? {
                    typed if typed.is_empty() => return Ok(None),
                    typed => typed,
                },
            };
            let answer = answer.trim();
            let read = if answer.trim_matches([',', ';', ' ']).is_empty() {
                let none =
                    if asks.ends_with("or none") { format!(" write {flag} none,") } else { String::new() };
                Err(Refusal::new(format!("{flag} is empty: add a value,{none} or leave {flag} out")))
            } else {
                read(answer)
            };
            match read {
                Ok(answer) => return Ok(Some(answer)),
                Err(refusal) if is_flag && !refusal.to_string().starts_with(flag) => {
                    self.again(Refusal::new(format!("{flag}: {refusal}")))?;
                }
                Err(refusal) => self.again(refusal)?,
            }
        }
    }

    /// Shows what is wrong, so that it can be asked again. Without a terminal that is not possible.
    pub(super) fn again(&mut self, refusal: Refusal) -> Result<(), Refusal> {
        if !self.is_terminal {
            return Err(refusal);
        }
        Ok(writeln!(self.output, "  {}", directory::visible::lines(&refusal.to_string()))?)
    }

    pub(super) fn folder(&mut self) -> Result<PathBuf, Refusal> {
        loop {
            let answer = self.line("Another folder, which doesn't exist yet")?;
            if !answer.is_empty() {
                return Ok(answer.into());
            }
        }
    }

    fn line(&mut self, asks: &str) -> Result<String, Refusal> {
        write!(self.output, "{asks}: ")?;
        self.output.flush()?;
        let mut line = String::new();
        match self.input.read_line(&mut line) {
            Ok(0) => Err(Refusal::new(
                "input ended before all questions were answered, and nothing was written: run it again",
            )),
            Ok(_) => Ok(line.trim().to_owned()),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                self.again(Refusal::new("this isn't UTF-8 text: type it again"))?;
                self.line(asks)
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// The parts of a list, without those that repeat one in other letters. Where there is a semicolon, commas belong to names.
pub(super) fn items(answer: &str) -> Vec<String> {
    let mut known = HashSet::new();
    let separator = if answer.contains(';') { ';' } else { ',' };
    let items = answer.split(separator).map(|item| item.split_whitespace().collect::<Vec<_>>().join(" "));
    items.filter(|item| !item.is_empty() && known.insert(item.to_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for a number. Returns it, and what was shown.
    fn ask(given: Option<&str>, typed: &str, is_terminal: bool) -> (Result<Option<u32>, Refusal>, String) {
        let mut output = Vec::new();
        let mut console = Console { input: &mut typed.as_bytes(), output: &mut output, is_terminal };
        let read = |text: &str| text.parse().map_err(|_| Refusal::new("write a number"));
        let answer = console.ask(("--number", "A number"), given, read);
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_terminal_is_asked_until_the_answer_can_be_used() {
        let (answer, shown) = ask(None, "one\n 2 \n3\n", true);
        assert_eq!(answer.unwrap(), Some(2));
        assert_eq!(shown, "A number:   write a number\nA number: ");
        let (answer, shown) = ask(Some("one"), "2\n", true);
        assert_eq!(answer.unwrap(), Some(2));
        assert_eq!(shown, "  --number: write a number\nA number: ");
        assert_eq!(ask(None, "\n", true).0.unwrap(), None);
        assert_eq!(ask(Some("4"), "", true).0.unwrap(), Some(4));
    }

    #[test]
    fn answers_that_end_early_are_refused() {
        let (answer, _) = ask(None, "one\n", true);
        assert!(answer.unwrap_err().to_string().contains("nothing was written"));
    }

    #[test]
    fn nothing_is_asked_without_a_terminal() {
        let (answer, shown) = ask(None, "2\n", false);
        assert_eq!((answer.unwrap(), shown.as_str()), (None, ""));
        let (answer, shown) = ask(Some("one"), "2\n", false);
        assert_eq!(
            (answer.unwrap_err().to_string().as_str(), shown.as_str()),
            ("--number: write a number", "")
        );
        for empty in [" ", ";", ", ,"] {
            let (answer, _) = ask(Some(empty), "", false);
            assert!(answer.unwrap_err().to_string().starts_with("--number is empty: "), "{empty}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_used_is_asked_again() {
        let (mut output, mut input) = (Vec::new(), "\n \nnew\n".as_bytes());
        let mut console = Console { input: &mut input, output: &mut output, is_terminal: true };
        assert_eq!(console.folder().unwrap(), PathBuf::from("new"));
    }
}
