"""Runs the judges and prints one line for each: name, version, verdict, figure, seconds."""

import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import api_judges
import fhir_judges
import installs
import mcp_judges
import other_judges
import replicas.store
import rust_examples
import weight
import words
from frame import CACHE, LOGS, Failed, Needs, Skipped, Stage

JUDGES = (
    mcp_judges.ALL + api_judges.ALL + fhir_judges.ALL + other_judges.ALL + installs.ALL + rust_examples.ALL
    + replicas.store.ALL + weight.ALL + words.ALL
)


def main(names):
    known = [judge.name for judge in JUDGES]
    if names == ["--list"]:
        print("\n".join(known))
        return 0
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"there is no judge {', '.join(unknown)}; use one of {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [judge for judge in JUDGES if not names or judge.name in names]
    started = time.monotonic()
    CACHE.mkdir(exist_ok=True)
    shutil.rmtree(LOGS, ignore_errors=True)
    needs = Needs(chosen)
    # The installations wait for the network while the compiler works.
    with ThreadPoolExecutor(2) as pool:
        installing = [pool.submit(needs.install_all, kind) for kind in ("npm", "pip")]
        stage = Stage()
        try:
            stage.build()
            for installation in installing:
                installation.result()
            stage.start()
            verdicts = [judge_once(judge, stage, needs) for judge in chosen]
        except Failed as why:
            print(f"nothing can be judged: {why}", file=sys.stderr)
            return 1
        finally:
            stage.stop()
    count = {verdict: verdicts.count(verdict) for verdict in ("PASS", "FAIL", "SKIPPED")}
    print(
        f"\n{count['PASS']} passed, {count['FAIL']} failed, {count['SKIPPED']} skipped"
        f" in {time.monotonic() - started:.0f} s; logs in {CACHE.relative_to(CACHE.parents[2])}/logs"
    )
    strict = os.environ.get("JUDGES") == "strict"
    return 1 if count["FAIL"] or (strict and count["SKIPPED"]) else 0


def judge_once(judge, stage, needs):
    started = time.monotonic()
    version = "-"
    try:
        version = judge.version(needs)
        figure, verdict = judge.run(stage, needs), "PASS"
    except Skipped as why:
        figure, verdict = str(why), "SKIPPED"
    except Failed as why:
        figure, verdict = str(why), "FAIL"
    except Exception as surprise:  # A judge that crashes hasn't approved, and the others continue.
        figure, verdict = f"the judge crashed: {surprise!r}"[:200], "FAIL"
    seconds = time.monotonic() - started
    print(f"{judge.name:<20} {version:<16} {verdict:<8} {seconds:5.1f} s  {figure}", flush=True)
    return verdict


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
