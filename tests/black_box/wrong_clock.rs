//! A service on a machine whose clock shows a time that no date of HTTP has. The clock is that of a small library that is
//! loaded before the system's.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use crate::harness::{Server, command, text};

/// Adds the seconds in the file `CLOCK_FILE` to the system's time.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  const char *path = getenv("CLOCK_FILE");
  int file = clock == CLOCK_REALTIME && path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file >= 0) {
    char text[32] = {0};
    if (read(file, text, sizeof text - 1) > 0) time->tv_sec += atoll(text);
    close(file);
  }
  return result;
}
"#;

#[test]
fn a_clock_before_1970_or_after_9999_is_answered_and_nothing_is_reset() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("clock.c"), LIBRARY).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([at("clock.so"), at("clock.c")])
        .arg("-ldl")
        .status();
    assert!(compiled.unwrap().success());
    let set = |seconds: i64| {
        fs::write(at("new"), seconds.to_string()).unwrap();
        fs::rename(at("new"), at("clock")).unwrap();
    };
    let serve = || {
        let mut serve = command(&["serve", "--admin", "127.0.0.1:0"]);
        serve.env("LD_PRELOAD", at("clock.so")).env("CLOCK_FILE", at("clock"));
        serve
    };
    let (year_12000, year_1890) = (316_000_000_000, -4_300_000_000);
    set(0);
    let server = Server::start_as(serve(), "127.0.0.1:0");
    let admin = Server::elsewhere(server.admin().unwrap());
    let statuses = || [server.get("/v1/states"), admin.get("/readyz")].map(|reply| reply.status);
    assert_eq!(statuses(), [200, 200]);
    for wrong in [year_12000, year_1890] {
        set(wrong);
        assert_eq!(statuses(), [503, 503]);
        let told = server.get("/v1/states");
        assert!(text(&told.body).contains("clock is wrong"), "{}", text(&told.body));
        set(0);
        assert_eq!(statuses(), [200, 200]);
    }
    for wrong in [year_12000, year_1890] {
        set(wrong);
        let refused = serve().args(["--listen", "127.0.0.1:0"]).output().unwrap();
        let told = text(&refused.stderr);
        assert!(refused.status.code() == Some(75) && told.contains("this machine's clock shows"), "{told}");
    }
}
