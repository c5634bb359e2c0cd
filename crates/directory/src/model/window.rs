//! Local times of day, and windows of hours without a date.

use std::fmt;
use std::str::FromStr;

const DAY: u16 = 24 * 60;

/// A local time of day, to the minute. `24:00` can only end a window.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockTime(u16);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a time of day is HH:MM, from 00:00 to 23:59; only an end can be 24:00")]
pub struct ClockTimeError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    #[error("hours are two times of day with a hyphen between them, such as \"09:00-17:00\"")]
    Form,
    #[error(transparent)]
    Time(#[from] ClockTimeError),
    #[error("only an end can be 24:00; hours that start at midnight start at 00:00 of the next day")]
    StartsAtDayEnd,
}

impl ClockTime {
    pub const DAY_START: Self = Self(0);
    /// 24:00, the end of a day.
    pub const DAY_END: Self = Self(DAY);
    pub const NOON: Self = Self(12 * 60);
    /// 17:00, where the evening begins.
    pub const EVENING: Self = Self(17 * 60);

    pub fn from_minutes(minutes: u16) -> Result<Self, ClockTimeError> {
        if minutes <= DAY { Ok(Self(minutes)) } else { Err(ClockTimeError) }
    }

    /// Minutes since 00:00 on the clock, at most 1440.
    pub fn minutes(self) -> u16 {
        self.0
    }
}

impl FromStr for ClockTime {
    type Err = ClockTimeError;

    fn from_str(text: &str) -> Result<Self, ClockTimeError> {
        let digit = |at: usize| match text.as_bytes()[at] {
            digit @ b'0'..=b'9' => Ok(u16::from(digit - b'0')),
            _ => Err(ClockTimeError),
        };
        if text.len() != 5 || text.as_bytes()[2] != b':' {
            return Err(ClockTimeError);
        }
        let (hours, minutes) = (digit(0)? * 10 + digit(1)?, digit(3)? * 10 + digit(4)?);
        if minutes < 60 { Self::from_minutes(hours * 60 + minutes) } else { Err(ClockTimeError) }
    }
}

impl fmt::Display for ClockTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl fmt::Debug for ClockTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A half-open period of local time, without a date: `09:00-12:00`.
/// An end that is not after the start lies on the next date: `22:00-02:00` is four hours of the clock, and
/// `09:00-09:00` is twenty-four.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    start: ClockTime,
    end: ClockTime,
}

impl Window {
    pub fn new(start: ClockTime, end: ClockTime) -> Result<Self, WindowError> {
        if start == ClockTime::DAY_END { Err(WindowError::StartsAtDayEnd) } else { Ok(Self { start, end }) }
    }

    pub fn start(self) -> ClockTime {
        self.start
    }

    /// The end, on the same date or the next.
    pub fn end(self) -> ClockTime {
        self.end
    }

    pub fn ends_next_day(self) -> bool {
        self.end <= self.start
    }

    /// The minutes on the clock, 1 to 1440. Where the clock changes, the elapsed time differs.
    pub fn clock_minutes(self) -> u16 {
        let next_day = if self.ends_next_day() { DAY } else { 0 };
        next_day + self.end.0 - self.start.0
    }
}

impl FromStr for Window {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Self, WindowError> {
        let (start, end) = text.split_once('-').ok_or(WindowError::Form)?;
        Self::new(start.parse()?, end.parse()?)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{}", self.start, self.end)
    }
}

impl fmt::Debug for Window {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_parsed_and_written() {
        for (text, minutes) in [("00:00", 0), ("00:59", 59), ("09:30", 570), ("23:59", 1439), ("24:00", 1440)]
        {
            let time: ClockTime = text.parse().unwrap();
            assert_eq!(time.minutes(), minutes, "{text}");
            assert_eq!(time.to_string(), text);
        }
        for text in [
            "",
            "9:00",
            "09:0",
            "0900",
            "09:60",
            "24:01",
            "25:00",
            "99:59",
            "-1:00",
            "+9:00",
            "09:00 ",
            "０９:00",
        ] {
            assert_eq!(text.parse::<ClockTime>(), Err(ClockTimeError), "{text:?}");
        }
        assert_eq!(ClockTime::from_minutes(1441), Err(ClockTimeError));
    }

    #[test]
    fn windows_are_parsed_and_written() {
        for (text, minutes, next_day) in [
            ("09:00-12:00", 180, false),
            ("23:00-24:00", 60, false),
            ("00:00-24:00", 1440, false),
            ("22:00-02:00", 240, true),
            ("22:00-00:00", 120, true),
            ("09:00-09:00", 1440, true),
            ("00:00-00:00", 1440, true),
            ("23:59-23:58", 1439, true),
        ] {
            let window: Window = text.parse().unwrap();
            assert_eq!(window.clock_minutes(), minutes, "{text}");
            assert_eq!(window.ends_next_day(), next_day, "{text}");
            assert_eq!(window.to_string(), text);
        }
    }

    #[test]
    fn an_invalid_window_is_refused_with_its_rule() {
        for text in ["", "09:00", "09:00–12:00", "09:00 to 12:00"] {
            assert_eq!(text.parse::<Window>(), Err(WindowError::Form), "{text:?}");
        }
        for text in ["-", "09:00-", "9:00-12:00", "09:00 - 12:00", "09:00-12:00-13:00", "09:00-24:30"] {
            assert_eq!(text.parse::<Window>(), Err(WindowError::Time(ClockTimeError)), "{text:?}");
        }
        assert_eq!("24:00-02:00".parse::<Window>(), Err(WindowError::StartsAtDayEnd));
    }
}
