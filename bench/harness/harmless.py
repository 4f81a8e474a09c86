"""Is there a program that fails, hangs or prints something else because LB-HM is there?

The tools do the work, each with a JSON file as its answer: tests/faults/run, malloc_sweep and fork_storm.py, and
scripts/fuzz.
"""

import argparse
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.process import clean_environment
from harness.result import Result, Table

TARGETS = ["lbhm", "lbhm-heap", "fault-programs", "two-nodes", "lbhm-sweep", "sweep_subject", "sweep_subject_plain"]
REPETITIONS = 1
FORKS = 2_000
SWEEP_POINTS = "60"  # of each front; all of them nightly
FUZZ_INPUTS = 10_000_000  # in sum, nightly
NIGHTLY_SECONDS, SHORT_SECONDS = "120", "3"  # of each fuzz target
ENDING_PROGRAMS = ["exceptions", "fork_in_region", "wrong_objects"]  # that meet every ending in the short form, too


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--nightly", action="store_true", help="every program with every ending; 10^7 fuzz inputs: hours"
    )


@dataclass(frozen=True)
class Tool:
    """A script that takes --json FILE and has status 0 or 1: 1 if it found something."""

    words: tuple[str, ...]

    def answer(self, build: Build) -> dict:
        """Its JSON, with `found_something` from its status. Raises BenchError if it is not there or gives no answer."""
        script = ROOT / self.words[0]
        if not script.is_file():
            raise BenchError(f"{self.words[0]} is not there; is this checkout whole?")
        with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
            file = Path(folder) / "answer.json"
            words = [str(script), *self.words[1:], "--json", str(file)]
            environment = clean_environment(LBHM_BUILD=str(build.folder), PATH=path_with_python())
            done = subprocess.run(words, env=environment, capture_output=True, text=True, cwd=ROOT, check=False)
            if done.returncode not in (0, 1) or not file.is_file():
                raise BenchError(
                    f"`{' '.join(self.words)}` ended with status {done.returncode}:\n{done.stderr.strip()}"
                )
            return json.loads(file.read_text()) | {"found_something": done.returncode == 1}


def path_with_python() -> str:
    """The tools' packages are in the project's own Python."""
    return f"{ROOT / 'build' / 'venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"


def comparisons(build: Build, nightly: bool) -> list[dict]:
    """The cells of tests/faults/run."""
    tools = [Tool(("tests/faults/run", "--endings", "all"))]
    if not nightly:
        tools = [Tool(("tests/faults/run",)), Tool(("tests/faults/run", *ENDING_PROGRAMS, "--endings", "all"))]
    cells = [cell for tool in tools for cell in tool.answer(build)["cells"]]
    return list({(cell["program"], cell["front"], cell["ending"]): cell for cell in cells}.values())


def words_of(cell: dict) -> str:
    return f"{cell['program']} under {cell['front']}, {cell['ending']}: {cell['result']}"


def refused(sweep: dict) -> list[str]:
    return [
        f"malloc_sweep, {front}: allocation {nth} fails and the program ends with {outcome[0]}"
        for front, row in sweep.items()
        for nth, outcome in row["different"].items()
    ]


def fuzzed(fuzz: dict, wanted: int) -> list[str]:
    """What its targets found. `fuzz` keeps the inputs by target."""
    findings = (
        ["scripts/fuzz: an input breaks a promise; see build/fuzz/findings"] if fuzz.pop("found_something") else []
    )
    if sum(fuzz.values()) < wanted:
        findings.append(f"scripts/fuzz: {sum(fuzz.values())} inputs are fewer than {wanted}")
    return findings


def measure(build: Build, options: argparse.Namespace) -> Result:
    """Fields: as bench/README.md says. `findings`: a sentence each."""
    cells = comparisons(build, options.nightly)
    different = [cell for cell in cells if cell["result"] != "same"]
    storm = Tool(("tests/faults/fork_storm.py", "--forks", str(FORKS))).answer(build)
    sweep = Tool(("tests/faults/malloc_sweep", *([] if options.nightly else ["--most", SWEEP_POINTS]))).answer(build)
    sweep.pop("found_something")  # refused() says what
    fuzz = Tool(("scripts/fuzz", NIGHTLY_SECONDS if options.nightly else SHORT_SECONDS)).answer(build)
    findings = [*map(words_of, different), *refused(sweep), *fuzzed(fuzz, FUZZ_INPUTS if options.nightly else 1)]
    if storm["hung"]:
        findings.append(f"{storm['hung']} of {storm['forks']} forked children hung or failed")
    fields = {
        "programs": len(cells),
        "different": len(different),
        "malloc_points": sum(row["tried"] for row in sweep.values()),
        "forks": storm["forks"],
        "fork_hangs": storm["hung"],
        "fuzz_inputs": fuzz,
        "findings": findings,
    }
    return Result(fields, [table(fields)])


def table(fields: dict) -> Table:
    rows = [
        ["programs compared, and different", str(fields["programs"]), str(fields["different"])],
        ["failing mallocs", str(fields["malloc_points"]), "-"],
        ["forks, and children that hung", str(fields["forks"]), str(fields["fork_hangs"])],
        ["fuzz inputs", str(sum(fields["fuzz_inputs"].values())), "-"],
        ["findings", "-", str(len(fields["findings"]))],
    ]
    return Table(["question", "asked", "failed"], rows)
