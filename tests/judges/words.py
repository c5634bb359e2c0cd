"""Texts are natural American English: a list of British spellings and translated phrases, none of which may stand anywhere.

    python3 tests/judges/words.py            every text in the repository
    python3 tests/judges/words.py src docs   only paths that begin so

In programs the texts are comments, strings, and names of functions that are sentences: those of tests."""

import re
import subprocess
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.dont_write_bytecode = True

from frame import ROOT, Failed, Judge

# Each matches whole words; "~" stands for the rest of a word, a blank for any white space.
BRITISH = """
acknowledgement ageing amongst analyse analysed analysing apologis~ artefact~ authoris~ behaviour~ cancelled cancelling
capitalis~ catalogue~ categoris~ centimetre~ centralis~ centre centred centres cheque colour~ customis~ defence enrol
favour~ finalis~ flavour~ fulfil fulfils generalis~ grey greyed harmonis~ honour~ humour~ initialis~ judgement~ labelled
labelling labour learnt licence~ litre~ localis~ maximis~ memoris~ metre metres minimis~ misspelt modelled modelling
neighbour~ normalis~ offence optimis~ organis~ parameteris~ practise~ prioritis~ programme programmes randomis~ realise~
realising recognis~ sanitis~ sceptic~ serialis~ deserialis~ signalled signalling specialise~ spelt standardis~ storey
summaris~ synchronis~ telephone~ totalling towards travelled travelling unrecognis~ utilis~ visualis~ whilst
""".split()
PHRASES = """
nobody~|no one, or say what is missing
nobody's|no one's, or say what is missing
somebody~|someone
whoever|name the person
everybody|everyone, all clinicians
must be there|is required
must not be there|isn't allowed here, or: remove it
summer time|daylight saving time
mend|fix
mends|fixes
mended|fixed
mending|fixing
for want of|because there is no
for no visit|no visit can be booked
what holds everywhere|say what applies
holds everywhere|applies everywhere
is told|say who reports it where
are told|say who reports it where
so many|this many, or the number
takes no new patients|isn't accepting new patients
no new patients any more|no longer accepts new patients
any more.|anymore.
any more,|anymore,
any more;|anymore;
any more:|anymore:
any more"|anymore"
there is no page here|Page not found
wrong usage|usage error
the machine refused|system error
both want rust|requires Rust
goes out by itself|is published automatically
a host of files|a static host
ask nobody outside|load nothing from third parties
healthcare's own readers|FHIR clients
where port 8080 is taken|if port 8080 is in use
pages on their way out|injects live reload
that we know|We couldn't find "X"
could not be understood|say what was unclear
where will you be|What state will you be in?
kinds of visit|visit types
to take this time|To book, call …
out of range are moved|Out-of-range numbers are clamped
, in short|(summary)
have no answer once|After publishing, searches … find nothing
mend the listed|Fix these first
git could not merge|unresolved merge conflict
words that speak to|prompt injection
nothing is new in|content unchanged
does not beat any more|stopped confirming
accepts what is held|accepted the held reading
600 by 600|600 × 600
can have confirmed|This confirmation date is in the future
is to be had|is available
cannot be had|is unavailable
""".strip().splitlines()
# "There is no file" and "is no longer" are English; "a slug is no name" is not.
IS_NO = r"(?<!there )(?<!there\n)(?:is|are|was|were)\s+no\s+(?!longer|more\b|less\b|fewer\b|such\b|one\b|later\b|earlier\b)[a-z]+"

# What may stand all the same, and where: a prefix of paths, a pattern, the reason.
EXCEPTIONS = (
    ("", r"\[\[licence\b|\blicence = |\"licence\"|'licence'", "a content key and its value, accepted in both spellings"),
    ("", r"licence-over|npi-organisation", "names of findings that clinics have written into their content"),
    ("", r"\blicences:|\"licences\"", "a key in confirmation codes that clinicians have been sent"),
    ("crates/directory/src/content/shape.rs", r"\"licence[ds]\"", "misspellings of a key that `check` corrects"),
    ("crates/directory/src/api/search/concepts", r"ageing", "a word that patients type"),
    ("site/assets/sentence/", r"someone/somebody|somebody/someone|everyone/everybody|phone\|telephone|no nobody not|this nobody nadie", "words that patients type"),
    ("", r"cancelled-instance", "a case's file name"),
    ("", r"(?:notifications/|tool-)cancelled|\bCANCELLED\b|[\"']cancelled[\"']", "words of MCP, iCalendar, FHIR and GitHub"),
    ("docs/ACCURACY.md", r"\"Cancelled\"", "a word of state boards' files"),
    ("", r"\"telephone\"|telephone:|\"telephone=", "a property of schema.org"),
    ("", r"(?i)[/=]nobody\b[-\w]*|\bnobody-(?:here|at-all)\b|[\"“ ]nobody[\"”\\]", "a slug that no clinician has"),
    ("src/audit/", r"suspended\|cancelled", "a word of state boards' files"),
)
# Files that are not ours to word.
FOREIGN = {
    "tests/judges/words.py": "the list itself",
    "tests/cases/ics": "calendars as other programs write them",
    "tests/cases/sentences": "what patients type",
    "tests/cases/sentence-": "what patients type",
    "tests/sentence": "what patients type",
    "tests/cases/standards": "files of other standards",
    "crates/directory/tests/broken": "content with mistakes, and what check says to it",
}
PROGRAMS = {".rs", ".js", ".mjs", ".py"}
SUFFIXES = PROGRAMS | {".html", ".toml", ".md", ".sh", ".yml", ".yaml", ".service", ".socket", ".conf"}

STRING = r'"(?:\\.|[^"\\])*"'
SHORT = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
TOKENS = {
    ".rs": rf"(?P<comment>//[^\n]*)|r(?P<hash>\#*)\".*?\"(?P=hash)|{STRING}|'(?:\\.|[^'\\])'|\bfn (?P<name>\w+)",
    ".js": rf"(?P<comment>//[^\n]*|/\*.*?\*/)|{SHORT}|`(?:\\.|[^`\\])*`|\bfunction (?P<name>\w+)",
    ".py": rf"(?P<comment>\#[^\n]*)|\"\"\".*?\"\"\"|{SHORT}|\bdef (?P<name>\w+)",
}
TOKENS = {suffix: re.compile(pattern, re.DOTALL) for suffix, pattern in TOKENS.items()}
TOKENS[".mjs"] = TOKENS[".js"]
# What a text quotes from code: `names` in backquotes, {values} in formats, {{ expressions }} in templates.
QUOTED = re.compile(r"`[^`\s]+`|\$\{[^{}]*\}|\{\{.*?\}\}|\{%.*?%\}|\{[a-z_][\w.]*(?::[^{}]*)?\}", re.DOTALL)
MARKER = re.compile(r"^[ \t]*(?://[/!]?|#)|\\(?=\n)", re.MULTILINE)
INSTEAD = dict(line.rsplit("|", 1) for line in PHRASES)


def pattern(phrase):
    text = re.escape(phrase.rstrip("~")).replace(r"\ ", r"\s+")
    return text + (r"\w*" if phrase[-1] == "~" else r"\b" if phrase[-1].isalpha() else "")


def together(phrases):
    """One pattern that decides by the first letter: most words of a text end the search there."""
    groups = {}
    for phrase in phrases:
        groups.setdefault(phrase[0], []).append(phrase)
    return "|".join(f"(?={re.escape(first)})(?:{'|'.join(map(pattern, group))})" for first, group in groups.items())


# Matched in lowercase: ignoring case at each place is slow.
BAD = re.compile(rf"(?:\b|(?=,))(?:{together([*BRITISH, *INSTEAD])}|{IS_NO})")


def lines_of(code):
    return " " + "\n" * code.count("\n")


def texts(path, whole):
    """The file without everything but its texts; each stays in its line."""

    def blank(found):
        return lines_of(found.group())

    if path.suffix in PROGRAMS:
        kept, end = [], 0
        for token in TOKENS[path.suffix].finditer(whole):
            kept.append(lines_of(whole[end:token.start()]))
            text = token.group()
            if token["name"]:
                text = text.replace("_", " ") if text.count("_") > 2 else " "
            kept.append(text)
            end = token.end()
        whole = "".join(kept)
    whole = MARKER.sub(blank, whole)
    return QUOTED.sub(blank, whole)


def hits(prefixes):
    """How many files were read, and each hit as file, line, words and what to write instead."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    count, found = 0, []
    for name in listed.split("\0"):
        path = ROOT / name
        if not name.startswith(prefixes) or name.startswith(tuple(FOREIGN)) or not path.is_file():
            continue
        is_script = not path.suffix and path.open("rb").read(2) == b"#!"
        if path.suffix not in SUFFIXES and not is_script and path.name != "Dockerfile":
            continue
        text = texts(path, path.read_text())
        for prefix, allowed, _ in EXCEPTIONS:
            if name.startswith(prefix):
                text = re.sub(allowed, " ", text)
        count += 1
        for hit in BAD.finditer(text.lower()):
            words = " ".join(hit.group().split())
            found.append((name, text.count("\n", 0, hit.start()) + 1, words, advice(words)))
    return count, found


def advice(words):
    for phrase, instead in INSTEAD.items():
        if words.startswith(phrase.rstrip("~")):
            return instead
    return "isn't" if " no " in words else "American spelling"


def judge(stage, needs):
    count, found = hits(("",))
    if found:
        path, line, words, instead = found[0]
        raise Failed(f"{len(found)} hits, the first in {path}:{line}: \"{words}\": {instead}")
    return f"{count} files, 0 hits"


ALL = [Judge("words", judge)]

if __name__ == "__main__":
    count, found = hits(tuple(sys.argv[1:]) or ("",))
    for path, line, words, instead in found:
        print(f"{path}:{line}: \"{words}\": {instead}")
    print(f"{count} files, {len(found)} hits")
    sys.exit(bool(found))
