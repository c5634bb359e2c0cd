#!/usr/bin/env node
// Runs this platform's program, which npm installed as an optional dependency.
const { spawn } = require("node:child_process");
const { homepage, name, optionalDependencies } = require("../package.json");

const platform = `${process.platform}-${process.arch}`;
const dependency = `${name}-${platform}`;

function fail(why) {
  console.error(`nameplate: ${why}`);
  process.exit(2);
}

if (!(dependency in optionalDependencies)) {
  fail(`There is no program for ${platform}: on Windows use WSL, elsewhere the container image or a build from ${homepage}.`);
}
let program;
try {
  program = require.resolve(`${dependency}/nameplate${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  fail(`${dependency} isn't installed: install ${name} again on this machine, with optional dependencies.`);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", ({ code }) =>
  fail(`${program} can't run here (${code}): move it to a disk that allows programs, or compile it from ${homepage}.`),
);
// A terminal sends Ctrl+C to both, but a process manager only to this one.
const signals = ["SIGHUP", "SIGINT", "SIGTERM"];
for (const signal of signals) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else process.exit(code);
});
