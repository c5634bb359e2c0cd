//! Makes the Markdown twin of a page from its HTML: what stands in `main`, without forms, scripts and what is hidden.
//! Anything that isn't well formed is read as far as it goes.

use std::fmt::Write as _;

const SKIPPED: [&str; 8] = ["aside", "button", "dialog", "form", "nav", "noscript", "svg", "template"];
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
/// They mean something anywhere in a line of Markdown.
const SPECIAL: [char; 7] = ['\\', '`', '*', '_', '[', ']', '<'];

/// `url` is the page's address, which begins with `site_url`.
pub(super) fn twin(html: &str, site_url: &str, url: &str) -> String {
    let main = html.split_once("<main").map_or(html, |(_, rest)| rest);
    let main = main.split_once("</main>").map_or(main, |(main, _)| main);
    let main = main.split_once('>').map_or(main, |(_, rest)| rest);
    let mut writer = Writer {
        site_url,
        url,
        is_current_only: main.contains(" current-only\">"),
        text: String::with_capacity(main.len() / 2),
        ..Writer::default()
    };
    let mut rest = main;
    while !rest.is_empty() {
        let (text, after) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
        writer.text(text);
        let Some((tag, after)) = after.strip_prefix('<').and_then(|tag| tag.split_once('>')) else { break };
        rest = after;
        // Their content is not HTML.
        if let Some(end) = ["script", "style"].into_iter().find(|name| tag.starts_with(name)) {
            rest = after.find(&format!("</{end}")).map_or("", |at| &after[at..]);
            continue;
        }
        writer.tag(tag);
    }
    writer.drop_empty_heading(1);
    let mut text = writer.text.trim().to_owned();
    text.push('\n');
    text
}

#[derive(Default)]
struct Writer<'a> {
    site_url: &'a str,
    url: &'a str,
    /// The page's style hides that its clinicians see new patients.
    is_current_only: bool,
    text: String,
    /// With the number of open elements of its name.
    skipped: Option<(&'a str, usize)>,
    /// The number of the next item; 0 if items have none.
    lists: Vec<usize>,
    /// Targets, and where their texts begin.
    links: Vec<(String, usize)>,
    /// Its level, and where it begins and ends.
    heading: Option<(usize, usize, usize)>,
    /// Where the text of an open code span or block begins.
    code: Option<usize>,
    is_block_of_code: bool,
    wants_space: bool,
}

impl<'a> Writer<'a> {
    fn tag(&mut self, tag: &'a str) {
        let (is_end, tag) = tag.strip_prefix('/').map_or((false, tag), |tag| (true, tag));
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        let attributes = &tag[name.len()..];
        if let Some((skipped, depth)) = &mut self.skipped {
            if name == *skipped {
                *depth = if is_end { *depth - 1 } else { *depth + 1 };
            }
            if *depth == 0 {
                self.skipped = None;
            }
            return;
        }
        let is_hidden = [
            " hidden",
            "aria-hidden=\"true\"",
            "class=\"unseen\"",
            "only-script\"",
            "class=\"busy\"",
            "class=\"ask\"",
        ];
        let is_skipped = SKIPPED.contains(&name)
            || is_hidden.iter().any(|hidden| attributes.contains(hidden))
            || (self.is_current_only && attributes.contains("class=\"yes open\""));
        if !is_end && is_skipped && !VOID.contains(&name) {
            self.skipped = Some((name, 1));
            return;
        }
        match (name, is_end) {
            ("h1" | "h2" | "h3" | "h4", is_end) => self.heading(name, is_end),
            ("ul" | "ol" | "dl" | "table", false) => {
                self.line();
                self.lists.push(usize::from(name == "ol"));
            }
            ("ul" | "ol" | "dl" | "table", true) => {
                self.lists.pop();
                self.line();
            }
            ("li" | "tr" | "dt", false) => self.item(),
            ("dt", true) => self.text.push(':'),
            ("dd" | "td" | "th", false) => self.wants_space = true,
            ("span" | "small", false)
                if (name == "small" || is_remark(attributes)) && !self.is_at_line_start() =>
            {
                self.text += " ·";
                self.wants_space = true;
            }
            ("strong" | "b", is_end) if self.code.is_none() => {
                if !is_end {
                    self.space();
                }
                self.text += "**";
            }
            ("a", false) => self.begin_link(attributes),
            ("a", true) => self.end_link(),
            ("pre", false) => {
                self.line();
                self.is_block_of_code = true;
            }
            ("pre", true) => {
                self.end_code();
                self.is_block_of_code = false;
                self.line();
            }
            ("code", false) => {
                self.space();
                self.code = Some(self.text.len());
            }
            ("code", true) if !self.is_block_of_code => self.end_code(),
            (
                "address" | "article" | "blockquote" | "br" | "dd" | "details" | "div" | "figure" | "header"
                | "p" | "section" | "summary",
                _,
            ) => self.line(),
            _ => {}
        }
    }

    fn text(&mut self, html: &str) {
        if self.skipped.is_some() {
            return;
        }
        if self.code.is_some() {
            self.text += &decoded(html);
            return;
        }
        for (number, word) in html.split(|c: char| c.is_ascii_whitespace()).enumerate() {
            self.wants_space |= number > 0;
            if word.is_empty() {
                continue;
            }
            self.space();
            let word = decoded(word);
            // What begins a line could begin a heading, a quotation or a list.
            if self.is_at_line_start() && word.starts_with(['#', '>', '-', '+']) {
                self.text.push('\\');
            }
            for character in word.chars() {
                if SPECIAL.contains(&character) {
                    self.text.push('\\');
                }
                self.text.push(character);
            }
        }
    }

    fn is_at_line_start(&self) -> bool {
        let line = self.text.rsplit('\n').next().unwrap_or_default().trim_start();
        line.is_empty() || line == "- "
    }

    /// After an empty one outside of lists.
    fn line(&mut self) {
        self.wants_space = false;
        if !self.is_empty_item() {
            self.begin_line(if self.lists.is_empty() { 2 } else { 1 }, self.lists.len());
        }
    }

    fn begin_line(&mut self, line_ends: usize, depth: usize) {
        let length = self.text.trim_end_matches(' ').len();
        self.text.truncate(length);
        if length > 0 {
            let there = length - self.text.trim_end_matches('\n').len();
            self.text.extend(std::iter::repeat_n('\n', line_ends.saturating_sub(there)));
        }
        self.text.extend(std::iter::repeat_n("  ", depth));
    }

    fn is_empty_item(&self) -> bool {
        let line = self.text.rsplit('\n').next().unwrap_or_default().trim();
        line == "-" || line.strip_suffix('.').is_some_and(|number| number.parse::<usize>().is_ok())
    }

    fn item(&mut self) {
        self.wants_space = false;
        self.begin_line(1, self.lists.len().saturating_sub(1));
        match self.lists.last_mut() {
            Some(number) if *number > 0 => {
                _ = write!(self.text, "{number}. ");
                *number += 1;
            }
            _ => self.text += "- ",
        }
    }

    /// A list has no headings, so there it is a line.
    fn heading(&mut self, name: &str, is_end: bool) {
        let level = name[1..].parse().unwrap_or(1);
        if !self.lists.is_empty() {
            self.line();
        } else if is_end {
            self.heading = self.heading.map(|(level, start, _)| (level, start, self.text.len()));
            self.line();
        } else {
            self.drop_empty_heading(level);
            self.line();
            self.heading = Some((level, self.text.len(), self.text.len()));
            self.text.extend(std::iter::repeat_n("#", level));
            self.text.push(' ');
        }
    }

    /// What stands below it, such as a form, was left out.
    fn drop_empty_heading(&mut self, level: usize) {
        if let Some((above, start, end)) = self.heading
            && above >= level.max(2)
            && self.text.trim_end().len() <= end
        {
            self.text.truncate(start);
        }
    }

    fn space(&mut self) {
        if std::mem::take(&mut self.wants_space)
            && !self.text.ends_with([' ', '\n', '['])
            && !self.text.is_empty()
        {
            self.text.push(' ');
        }
    }

    fn begin_link(&mut self, attributes: &str) {
        self.space();
        let target = attributes.split_once("href=\"").and_then(|(_, rest)| rest.split_once('"'));
        let target = target.map(|(target, _)| decoded(target)).unwrap_or_default();
        let target = match target.chars().next() {
            Some('/') => format!("{}{target}", self.site_url),
            Some('#') => format!("{}{target}", self.url),
            _ => target,
        };
        self.links.push((target, self.text.len()));
        self.text.push('[');
    }

    fn end_link(&mut self) {
        let Some((target, start)) = self.links.pop() else { return };
        if self.text.len() == start + 1 {
            self.text.truncate(start);
        } else if target.contains([' ', '(', ')', '<', '>']) {
            _ = write!(self.text, "](<{}>)", target.replace(['<', '>'], ""));
        } else {
            _ = write!(self.text, "]({target})");
        }
    }

    /// With a fence that the text doesn't contain.
    fn end_code(&mut self) {
        let Some(start) = self.code.take() else { return };
        let code = self.text.split_off(start);
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or_default();
        if self.is_block_of_code {
            let fence = "`".repeat(longest.max(2) + 1);
            _ = writeln!(self.text, "{fence}\n{}\n{fence}", code.trim_end());
        } else {
            let (fence, space) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
            _ = write!(self.text, "{fence}{space}{code}{space}{fence}");
        }
    }
}

/// A tag or a remark, which the page sets apart by its look.
fn is_remark(attributes: &str) -> bool {
    ["class=\"tag\"", "class=\"quiet", "class=\"go\""].iter().any(|class| attributes.contains(class))
}

fn decoded(html: &str) -> String {
    let (mut text, mut rest) = (String::with_capacity(html.len()), html);
    while let Some((before, after)) = rest.split_once('&') {
        text += before;
        let entity = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        let Some((character, after)) = entity.and_then(|(name, after)| Some((character(name)?, after)))
        else {
            text.push('&');
            rest = after;
            continue;
        };
        text.push(character);
        rest = after;
    }
    text + rest
}

fn character(entity: &str) -> Option<char> {
    match entity {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = entity.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(number)
        }
    }
}

#[cfg(test)]
mod tests;
