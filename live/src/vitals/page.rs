//! A page in Prometheus' text format. `metrics.txt` says of each metric what it is.

use std::fmt::{Display, Write as _};

/// Two lines for each metric: its meaning and its type.
const ABOUT: &str = include_str!("metrics.txt");

#[derive(Default)]
pub(super) struct Page {
    text: String,
    /// The metric of the last line.
    metric: String,
}

impl Page {
    /// Writes a line, under what is known of its metric.
    pub(super) fn line(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let metric = name.strip_suffix("_bucket").unwrap_or(name);
        let about = || ABOUT.split_inclusive('\n').filter(|line| line.split(' ').nth(2) == Some(metric));
        if self.metric != metric && about().next().is_some() {
            metric.clone_into(&mut self.metric);
            self.text.extend(about());
        }
        let labels: Vec<_> =
            labels.iter().map(|(label, text)| format!("{label}=\"{}\"", escaped(text))).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        _ = writeln!(self.text, "{name}{labels} {value}");
    }

    pub(super) fn one(&mut self, name: &str, value: impl Display) {
        self.line(name, &[], value);
    }

    pub(super) fn text(self) -> String {
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_cannot_end_its_line() {
        assert_eq!(escaped("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
