"""lbhm report: what a run, or a comparison of runs, looked like: in the terminal, as a page, as a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lbhm import output
from lbhm.errors import Refusal
from lbhm.json_reader import read_json
from lbhm.program import check_json_target, code_files_here
from lbhm.report import validator

app = typer.Typer()
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write pictures as one page that needs nothing else.")
]
_READ = {"lbhm.report/1": "report", "lbhm.compare/1": "compare"}
_MADE_BY = "lbhm run --json FILE, or lbhm compare --json FILE"


@app.command("report")
def report_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=f"What {_MADE_BY} wrote.", show_default=False)],
    html: Html = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", metavar="FILE", help="Write a trace for ui.perfetto.dev, of a run.")
    ] = None,
) -> None:
    """Show who waits for whom, where objects are and why, and how busy memory was."""
    check_json_target(html, "--html")
    check_json_target(trace, "--trace")
    found = read_result(file)
    if trace and found["schema"] != "lbhm.report/1":
        raise Refusal(f"--trace: {file} is a comparison; make a trace of one run: lbhm run --json FILE -- ./app")
    if trace:
        from lbhm.view.perfetto import trace_of

        output.write_json(trace, trace_of(found, program_files(found)), compact=True)
    show(found, html)


def read_result(path: Path) -> dict[str, Any]:
    """A run report or a comparison. Raises Refusal for anything else."""
    try:
        found = read_json(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else f"it is not JSON: {error}"
        raise Refusal(f"{path}: it cannot be read ({why}); name a file that was made by {_MADE_BY}") from None
    schema = found.get("schema") if isinstance(found, dict) else None
    if schema == "lbhm.capacities/1" and isinstance(found.get("comparisons"), list) and found["comparisons"]:
        for comparison in found["comparisons"]:
            _check(path, comparison, "compare")
    elif schema in _READ:
        _check(path, found, _READ[schema])
    else:
        raise Refusal(f"{path}: it is no run report and no comparison; name a file that was made by {_MADE_BY}")
    return found


def _check(path: Path, found: dict[str, Any], schema: str) -> None:
    for error in validator(schema).iter_errors(found):
        raise Refusal(
            f"{path}: it is malformed at {error.json_path} ({error.message[:200]}); name a file as {_MADE_BY} wrote it"
        )


def program_files(found: dict[str, Any]) -> list[Path]:
    """The program and its libraries, if they are still here: they have the names of places."""
    first = found["comparisons"][0] if "comparisons" in found else found
    return code_files_here(first.get("program") or (first.get("command") or [None])[0])


def show(found: dict[str, Any], html: Path | None) -> None:
    """The terminal has it if no page is asked for."""
    from lbhm.view.picture import picture_of

    picture = picture_of(found, program_files(found))
    if html is None:
        from lbhm.view.terminal_view import show as show_here

        show_here(picture)
        return
    write_page(html, picture)


def write_page(html: Path, picture: dict[str, Any]) -> None:
    from lbhm.view.html_page import page_of

    output.write_text(html, page_of(picture))
    if str(html) not in output.STDOUT:
        output.say(f"the page is {html}; open it in any browser")
