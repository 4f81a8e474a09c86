"""Do the patterns that the compiler finds agree with what the addresses do, over all programs that we have?"""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.build import ROOT, Build
from harness.process import run_text
from harness.result import Result, Table

TARGETS = ["host-kernels-trace", "bench-kernels-trace", "pattern-kernels-trace", "spgemm-trace", "tracer"]
REPETITIONS = 1
NUMBER_BITS = 20  # LBHM_BASE_BITS of include/lbhm/compiled_patterns.h
NO_PATTERN = (1 << NUMBER_BITS) - 1  # an access outside of all loops
LINE = 64
MOSTLY = 0.95  # of its steps must be as the pattern says; of a random one's no such share may be alike
COLUMNS = ["program", "accesses", "right", "wrong", "unknown", "outside loops", "memory classified"]
LEAST_ACCESSES = 10_000  # a program with fewer is not about memory, and has no share in the means
WRONG_SHOWN = 20
NAME_SHOWN = 40
VERDICTS = ("right", "wrong", "unknown", "none")  # none: outside of loops
RANDOM = ("gather", "scatter", "chase")


@dataclass
class Tally:
    """Accesses (executions) and pages of one program, by what became of them."""

    executions: dict[str, float] = field(
        default_factory=lambda: dict.fromkeys(("right", "wrong", "unknown", "none"), 0)
    )
    pages: dict[str, set[int]] = field(default_factory=lambda: {"classified": set(), "all": set()})
    wrong: list[tuple[float, str]] = field(default_factory=list)

    @property
    def total(self) -> float:
        return sum(self.executions.values())

    @property
    def classified(self) -> float:
        return self.executions["right"] + self.executions["wrong"]


def modules_of(build: Build, program: Path) -> list[dict]:
    """What `lbhm patterns` says of a program."""
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "patterns.json"
        run_text([ROOT / "lbhm", "patterns", program, "--json", target], LBHM_BUILD=str(build.folder))
        return json.loads(target.read_text())["modules"]


def accesses_of(modules: list[dict]) -> dict[int, dict]:
    """Every access by the number that the trace uses, with its place and the loop that it stands in."""
    found = {}
    for module in modules:
        number = int(module["id"], 16) << NUMBER_BITS
        for nest_number, nest in enumerate(module["nests"]):
            for access in nest["accesses"]:
                place = f"{Path(nest['file']).name}:{access['line']} {nest['name'].split('(')[0][:NAME_SHOWN]}"
                found[number] = access | {"place": place, "in": (module["id"], nest_number, access["loop"])}
                number += 1
    return found


def is_right(access: dict, trace: dict) -> bool:
    """Whether the steps are those of the pattern. Where the address did not move there was nothing to be wrong in."""
    steps = dict(map(tuple, trace["steps"]))
    if access["kind"] == "fixed":
        return share_of(steps.get(0, 0), steps, trace) >= MOSTLY
    moved = {step: times for step, times in steps.items() if step != 0}
    if not moved and not trace["other_steps"]:
        return True
    most = max(moved, key=moved.get, default=0)
    alike = share_of(moved.get(most, 0), moved, trace)
    if access["kind"] in RANDOM:
        return alike < MOSTLY
    if not access["stride"]:  # its length is known at run time only: it must stay the same while the loop runs
        return trace["again"] >= MOSTLY * trace["compared"]
    return share_of(sum(moved[step] for step in moved if follows(step, access["stride"])), moved, trace) >= MOSTLY


def follows(step: int, stride: int) -> bool:
    """One stride; or several, where an access is skipped in some iterations, if no line of the cache is left out."""
    return step == stride or (step % stride == 0 and step * stride > 0 and abs(step) <= LINE)


def share_of(times: float, steps: dict[int, int], trace: dict) -> float:
    total = sum(steps.values()) + trace["other_steps"]
    return times / total if total else 1


def pages_of(trace: dict) -> set[int]:
    return {page for first, count in trace["pages"] for page in range(first, first + count)}


def judge(accesses: dict[int, dict], traces: list[dict]) -> Tally:
    tally = Tally()
    for trace in traces:
        number = int(trace["access"], 16)
        pages = pages_of(trace)
        tally.pages["all"] |= pages
        if number & NO_PATTERN == NO_PATTERN:
            tally.executions["none"] += trace["executions"]
            continue
        access = accesses[number]
        if access["kind"] == "unknown":
            tally.executions["unknown"] += trace["executions"]
            continue
        tally.pages["classified"] |= pages
        verdict = "right" if is_right(access, trace) else "wrong"
        tally.executions[verdict] += trace["executions"]
        if verdict == "wrong":
            tally.wrong.append((trace["executions"], f"{access['kind']} {access['place']}"))
    return tally


def programs(build: Build) -> Iterator[tuple[str, Path, list[str]]]:
    """Name, program, arguments. Small inputs: every access is a call."""
    host = build.program("host-kernels-trace")
    for name in run_text([host, "--list"]).split():
        yield name, host, [name, "--small"]
    kernels = build.program("bench-kernels-trace")
    for name in ("triad", "gather", "chase", "spmv", "jacobi"):
        yield f"bench {name}", kernels, [name]
    patterns = build.program("pattern-kernels-trace")
    for name in run_text([patterns, "list"]).split():
        yield f"pattern {name}", patterns, [name, "1M"]
    yield "spgemm", build.program("spgemm-trace"), ["--kron", "10", "--inputs", "2"]


def trace(program: Path, arguments: list[str]) -> list[dict]:
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "trace.json"
        run_text([program, *arguments], LBHM_TRACE_FILE=str(target), OMP_NUM_THREADS="2")
        return json.loads(target.read_text())["accesses"]


def measure(build: Build, _options: object) -> Result:
    tallies: dict[str, Tally] = {}
    known: dict[Path, dict[int, dict]] = {}
    loops: set[tuple] = set()
    for name, program, arguments in programs(build):
        if program not in known:
            known[program] = accesses_of(modules_of(build, program))
        traces = trace(program, arguments)
        tallies[name] = judge(known[program], traces)
        numbers = (int(each["access"], 16) for each in traces)
        loops |= {known[program][number]["in"] for number in numbers if number & NO_PATTERN != NO_PATTERN}
    shares = summary(list(tallies.values()))
    wrong = sorted((place for tally in tallies.values() for place in tally.wrong), reverse=True)[:WRONG_SHOWN]
    tables = [
        Table(COLUMNS, [row(name, tally) for name, tally in tallies.items()]),
        Table(["wrong", "accesses"], [[place, f"{times:.3g}"] for times, place in wrong], "Where it is wrong most"),
        Table(["over all programs", "share"], [[key, percent(value)] for key, value in shares.items()], "In all"),
    ]
    return Result(
        shares | {"loops_tested": len({loop for loop in loops if loop[-1] is not None}), "programs": list(tallies)},
        tables,
    )


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def row(name: str, tally: Tally) -> list[str]:
    parts = [percent(tally.executions[key] / (tally.total or 1)) for key in ("right", "wrong", "unknown", "none")]
    memory = len(tally.pages["classified"]) / (len(tally.pages["all"]) or 1)
    return [name, f"{tally.total:.3g}", *parts, percent(memory)]


def summary(tallies: list[Tally]) -> dict[str, float]:
    """Every program weighs the same in the shares of accesses; memory is added up."""
    tallies = [tally for tally in tallies if tally.total >= LEAST_ACCESSES]
    pages = {kind: sum(len(tally.pages[kind]) for tally in tallies) for kind in ("classified", "all")}

    def mean(share: Callable[[Tally], float]) -> float:
        return sum(map(share, tallies)) / len(tallies)

    return {
        "classified_share": pages["classified"] / pages["all"],
        "right_share": mean(lambda tally: tally.executions["right"] / (tally.classified or 1)),
        "accesses_classified_share": mean(lambda tally: tally.classified / tally.total),
        "unknown_share": mean(lambda tally: tally.executions["unknown"] / tally.total),
        "outside_loops_share": mean(lambda tally: tally.executions["none"] / tally.total),
    }
