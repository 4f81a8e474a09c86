"""lbhm report: what a run, or a comparison of runs, looked like: in the terminal, as a page, as a trace."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Annotated, Any

import typer

from lbhm.base.errors import Refusal
from lbhm.files.file_kinds import but_is, schema_of
from lbhm.files.json_reader import read_json
from lbhm.files.report import faults
from lbhm.output import output
from lbhm.program.program import code_files_here, program_of
from lbhm.program.started_programs import code_files_of

app = typer.Typer()
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write pictures as one page that needs nothing else.")
]
_READ = {"lbhm.report/1": "report", "lbhm.compare/1": "compare"}
_MADE_BY = "lbhm run --json FILE, or lbhm compare --json FILE"


@app.command("report")
def report_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help=f"What {_MADE_BY} wrote; reports of ranks together.", show_default=False
        ),
    ],
    html: Html = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="Write a trace for ui.perfetto.dev, of a run.")
    ] = None,
    otf2: Annotated[
        Path | None, typer.Option("--otf2", metavar="FOLDER", help="Write an archive for Vampir, of a run.")
    ] = None,
) -> None:
    """Show who waits for whom, where objects are and why, and how busy memory was."""
    found = read_result(files[0]) if len(files) == 1 else read_ranks(files)
    if trace or otf2:
        if found["schema"] != "lbhm.report/1":
            option = "--trace" if trace else "--otf2"
            raise Refusal(f"{option}: {files[0]} is not of one run; make one of a run: lbhm run --json FILE -- ./app")
        write_traces(found, trace, otf2)
    show(found, html)


def write_traces(report: dict[str, Any], trace: Path | None, otf2: Path | None) -> None:
    from lbhm.report.otf2_archive import write_archive
    from lbhm.report.perfetto import trace_of

    events = trace_of(report, program_files(report))
    if trace:
        output.write_json(trace, events, compact=True)
    if otf2:
        write_archive(otf2, events)


def read_result(path: Path) -> dict[str, Any]:
    """A run report or a comparison. Raises Refusal for anything else."""
    try:
        found = read_json(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else f"it is not JSON: {error}"
        raise Refusal(f"{path}: it cannot be read ({why}); name a file that was made by {_MADE_BY}") from None
    schema = schema_of(found)
    if schema == "lbhm.capacities/1" and isinstance(found.get("comparisons"), list) and found["comparisons"]:
        for comparison in found["comparisons"]:
            _check(path, comparison, "compare")
    elif schema in _READ:
        _check(path, found, _READ[schema])
    else:
        what = but_is(found, "lbhm.report/1")
        raise Refusal(f"{path}: it is no run report and no comparison{what}; name a file that was made by {_MADE_BY}")
    return found


def read_ranks(paths: list[Path]) -> dict[str, Any]:
    """Reports of the ranks of one MPI program. Raises Refusal for anything else."""
    reports = [read_result(path) for path in paths]
    ranks = [report.get("rank") for report in reports]
    for path, report, rank in zip(paths, reports, ranks, strict=True):
        if report["schema"] != "lbhm.report/1" or rank is None:
            raise Refusal(
                f"{path}: it is no report of a rank of MPI; name one file, or those of mpirun lbhm run --json"
            )
        if ranks.count(rank) > 1:
            raise Refusal(f"{path}: rank {rank} is there twice; name each file of one run once")
    return {"schema": "lbhm.ranks/1", "ranks": sorted(reports, key=lambda report: report["rank"])}


def _check(path: Path, found: dict[str, Any], schema: str) -> None:
    """Raises Refusal. Each run of a comparison is checked as a report, so far as it is one."""
    _check_as(path, schema, found)
    for run in [found] if schema == "report" else found["runs"]:
        if schema != "report":
            shown = {key: run[key] for key in ("plans", "tiers", "timeline", "sites", "regions") if key in run}
            _check_as(path, "report", shown, in_part=True)
        _check_lines(path, run)


def _check_as(path: Path, schema: str, found: dict[str, Any], in_part: bool = False) -> None:
    for error in faults(schema, found, in_part):
        raise _malformed(path, f"{error.json_path} ({error.message[:200]})")


def _malformed(path: Path, where: str) -> Refusal:
    return Refusal(f"{path}: it is malformed at {where}; name a file as {_MADE_BY} wrote it")


def _check_lines(path: Path, run: dict[str, Any]) -> None:
    """What a schema cannot say: a line of the timeline has a value a moment, and there is a line a tier."""
    timeline = run.get("timeline")
    if not timeline:
        return
    of_rows = [row["tiers_bytes"] for row in timeline["objects"]]
    of_rows += [lane["tiers_samples"] for lane in timeline.get("lanes", [])]
    lines = [timeline["moved_bytes"], *timeline["busy_ns"], *timeline["used_bytes"], *itertools.chain(*of_rows)]
    tiers = len(run.get("tiers", []))
    by_tier = [*of_rows, *(lines for lines in (timeline["busy_ns"], timeline["used_bytes"]) if lines)]
    if not timeline["times_ns"] or any(len(line) != len(timeline["times_ns"]) for line in lines):
        raise _malformed(path, "$.timeline (its lines have different lengths)")
    if not tiers or any(len(lines) != tiers for lines in by_tier):
        raise _malformed(path, f"$.timeline (not all of it is of {tiers} tiers)")


def program_files(found: dict[str, Any]) -> list[Path]:
    """The program and its libraries, if they are still here: they have the names of places."""
    first = next((found[several][0] for several in ("comparisons", "ranks") if several in found), found)
    program = program_of(first)
    return code_files_here(program) if program else code_files_of(first.get("command") or [])


def show(found: dict[str, Any], html: Path | None) -> None:
    """The terminal has it if no page is asked for."""
    from lbhm.report.picture import picture_of

    picture = picture_of(found, program_files(found))
    if html is None:
        from lbhm.report.terminal_view import show as show_here

        show_here(picture)
        return
    write_page(html, picture)


def write_page(html: Path, picture: dict[str, Any]) -> None:
    from lbhm.report.html_page import page_of

    output.write_text(html, page_of(picture))
    if str(html) not in output.STDOUT:
        output.say(f"the page is {html}; open it in any browser")
