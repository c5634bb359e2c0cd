//! What Linux knows of this process (`/proc`), under the names that Prometheus' client libraries use.
#![expect(clippy::disallowed_methods, reason = "/proc is not content: its files are read for the metrics")]

use std::fs;

use super::page::Page;

pub(super) fn write(page: &mut Page) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(kilobytes) = number_after(&status, "VmRSS:") {
        page.one("process_resident_memory_bytes", kilobytes * 1024);
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        // The listing itself is open while it is read.
        let open = files.count().saturating_sub(1);
        page.one("process_open_fds", open);
    }
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if let Some(most) = number_after(&limits, "Max open files") {
        page.one("process_max_fds", most);
    }
}

fn number_after(text: &str, beginning: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(beginning))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str) -> u64 {
        let mut page = Page::default();
        write(&mut page);
        let lines = page.text;
        number_after(&lines, &format!("{name} ")).unwrap_or_else(|| panic!("{lines}"))
    }

    #[test]
    fn memory_and_open_files_are_those_of_this_process() {
        let memory = measured("process_resident_memory_bytes");
        assert!((1 << 20..1 << 36).contains(&memory), "{memory}");
        let before = measured("process_open_fds");
        let open: Vec<_> = (0..100).map(|_| fs::File::open("/dev/null").unwrap()).collect();
        let meanwhile = measured("process_open_fds");
        // Other tests open and close files, too.
        assert!(meanwhile + 50 > before + open.len() as u64, "{before} {meanwhile}");
        assert!(measured("process_max_fds") >= meanwhile);
    }
}
