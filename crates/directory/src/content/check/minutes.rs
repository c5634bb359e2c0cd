//! Durations: "30m", "2h", "1h30m", "1d".

/// Each unit occurs at most once, longer units first.
pub(in super::super) fn minutes_of(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut total: u32 = 0;
    let mut last_unit = u32::MAX;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = rest[..digits].parse().ok()?;
        let unit = match rest[digits..].chars().next()? {
            'd' => 1440,
            'h' => 60,
            'm' => 1,
            _ => return None,
        };
        if unit >= last_unit {
            return None;
        }
        last_unit = unit;
        total = total.checked_add(number.checked_mul(unit)?)?;
        rest = &rest[digits + 1..];
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_minutes() {
        for (text, minutes) in [("30m", 30), ("2h", 120), ("1h30m", 90), ("1d", 1440), ("0m", 0), ("90m", 90)]
        {
            assert_eq!(minutes_of(text), Some(minutes), "{text}");
        }
        for text in
            ["", "30", "m", "-5m", "1.5h", "30m1h", "2h2h", "30 m", "30s", "99999999999m", "4294967295h"]
        {
            assert_eq!(minutes_of(text), None, "{text}");
        }
    }
}
