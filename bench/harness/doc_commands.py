"""The command lines of README.md, CONTRIBUTING.md and docs/, and how tests/docs/doc_commands_test.py tests each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.build import ROOT

PROGRAMS = (
    "lbhm|quickstart|check|(?:bench/)?run|scripts/[a-z-]+|cmake|cpack|ctest|ninja|make|apt-get|python3?|pip|pkg-config"
    "|clang(?:\\+\\+)?(?:-19)?|flang-new-19|module|mpirun|srun|export|man|ulimit|sudo|sysctl|cd|app|\\S+/bin/\\w+"
)
COMMAND = re.compile(rf'(?:\w+=(?:"[^"]*"|\S+) )*\(?(?:\./)?(?:{PROGRAMS})(?: (?=[^\s=])| +#|$)')
SPAN = re.compile(r"`(?:\./)?(lbhm [a-z][^`\n]*)`")  # in a sentence, often with words like FILE in it
FILE = re.compile(r"`([\w.-]+)`:\n\n```\w+\n(.*?)```", re.S)

# A page whose commands have a test of their own, which looks at what they print as well.
OWN_TEST = {"docs/tutorial.md": "tests/tools/tutorial_test.py"}
# Long ones are not run; their words are given to the parser that would read them.
PARSED = {
    r"lbhm train": "takes 10 minutes",
    r"lbhm machine measure": "takes half a minute, on a quiet computer; tests/system/measure_test.py runs it",
    r"bench/run (?!first-minutes --no-build)": "benchmarks take minutes to hours",
    r"lbhm regions .*(bench/host|kernels)": "compiles and measures for a minute; another program takes its place above",
    r"lbhm (profile|run) --machine host .*[pq]\.json": "needs two memories; tests/two/h2m_host_test.py has them",
    r"LBHM_TIERS=\S+host\.json ": "needs the file that lbhm machine measure writes",
}
LEFT_OUT = {
    r"(\./)?(quickstart|check)\b": "builds everything; ./check is where this test runs",
    r"module ": "needs Environment Modules; tests/install reads the module file by tclsh",
    r"scripts/(install-packages|make-venv|fuzz)": "installs packages, or builds with sanitizers",
    r"cmake --(preset|build)": "builds everything; ./quickstart and ./check do the same",
    r"cmake --install": "writes to /opt; tests/install installs to another prefix",
    r"(python3 -m venv )?/opt/lbhm/": "needs the tree in /opt; tests/install has one elsewhere",
}


@dataclass(frozen=True)
class Command:
    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"

    @property
    def key(self) -> str:
        """What makes it the same as another page's."""
        return self.text.replace("./lbhm", "lbhm").replace("./bench", "bench")

    def reason(self, table: dict[str, str]) -> str:
        return next((reason for start, reason in table.items() if re.match(start, self.key)), "")

    @property
    def way(self) -> str:
        if self.reason(LEFT_OUT):
            return "left out"
        return "parsed" if self.reason(PARSED) else "run"


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Code of a page, indented or fenced: numbered lines."""
    block: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            block.append((number, line if fenced else line[4:]))
            continue
        elif not line and block:
            continue  # an empty line in an indented block
        yield block
        block = []
    yield block


def commands_of(page: str, text: str) -> Iterator[Command]:
    """In a block with prompts what follows a prompt; else the lines that begin with a program."""
    for block in blocks(text):
        prompts = any(line.startswith("$ ") for _, line in block)
        lines = iter(block)
        for number, line in lines:
            whole = line.removeprefix("$ ") if prompts and line.startswith("$ ") else line
            if not (line.startswith("$ ") if prompts else COMMAND.match(line)):
                continue
            while whole.endswith("\\"):
                whole = whole[:-1] + next(lines)[1].strip()
            yield Command(page, number, re.sub(r"\s+# .*", "", whole).strip())


def all_commands() -> list[Command]:
    """Of all pages, the same one of two pages twice."""
    named = [(page.relative_to(ROOT).as_posix(), page.read_text()) for page in pages()]
    return [command for page, text in named for command in commands_of(page, text)]


def spans() -> list[Command]:
    """`lbhm ...` in sentences."""
    found = []
    for page in pages():
        for number, line in enumerate(page.read_text().splitlines(), 1):
            found += [Command(page.relative_to(ROOT).as_posix(), number, text) for text in SPAN.findall(line)]
    return found


def files_of(text: str) -> dict[str, str]:
    """Files that a page shows whole: their name, then their text."""
    return dict(FILE.findall(text))


def counts() -> dict[str, int]:
    """Different commands, and how many of them are tested: run, or read by the parser that would read them."""
    ways = {command.key: command.way for command in all_commands()}
    by_way = {way: list(ways.values()).count(way) for way in ("run", "parsed", "left out")}
    return {
        "commands_in_docs": len(ways),
        "commands_tested": by_way["run"] + by_way["parsed"],
        "commands_run": by_way["run"],
        "commands_parsed": by_way["parsed"],
    }
