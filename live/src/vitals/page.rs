use std::fmt::{Display, Write as _};

/// Two lines for each metric: its meaning and its type.
const ABOUT: &str = include_str!("metrics.txt");

#[derive(Default)]
pub(super) struct Page {
    pub(super) text: String,
    /// Of the last line.
    metric: String,
}

impl Page {
    /// Under what is known of the metric.
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

    /// Counts by upper bounds in seconds, then those beyond all.
    pub(super) fn histogram(
        &mut self,
        name: &str,
        labels: &[(&str, &str)],
        counts: impl Iterator<Item = u64>,
        bounds: impl Iterator<Item = String>,
        sum_micros: u64,
    ) {
        let mut total = 0;
        for (count, bound) in counts.zip(bounds.chain(["+Inf".to_owned()])) {
            total += count;
            self.line(&format!("{name}_bucket"), &[labels, &[("le", bound.as_str())]].concat(), total);
        }
        self.line(&format!("{name}_sum"), labels, seconds(sum_micros));
        self.line(&format!("{name}_count"), labels, total);
    }
}

/// Exactly.
pub(super) fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
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
