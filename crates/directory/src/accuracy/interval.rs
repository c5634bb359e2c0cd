//! How far a share found in a sample may be from that of all.

/// Wilson's interval of 95 % for a share, from 0 to 1.
pub fn wilson(right: u32, of: u32) -> (f64, f64) {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (right, of) = (f64::from(right.min(of)), f64::from(of));
    let share = right / of;
    let divisor = 1.0 + Z * Z / of;
    let middle = (share + Z * Z / (2.0 * of)) / divisor;
    let half = Z / divisor * (share * (1.0 - share) / of + Z * Z / (4.0 * of * of)).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    /// 90 of 100: 82.6–94.5 %, as statistics packages print it.
    #[test]
    fn wilsons_interval_is_that_of_the_books() {
        let (low, high) = wilson(90, 100);
        assert!((low - 0.8256).abs() < 0.0001 && (high - 0.9448).abs() < 0.0001, "{low} {high}");
        let (low, high) = wilson(10, 10);
        assert!((low - 0.7225).abs() < 0.0001 && (high - 1.0).abs() < 1e-9, "{low} {high}");
        assert_eq!(wilson(0, 0), (0.0, 1.0));
    }
}
