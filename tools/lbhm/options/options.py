"""The options that commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from lbhm.options.numbers_given import number_of_threads, whole


def number(option: str, least: int, most: int, about: str) -> Any:
    """An option that takes a whole number."""
    return typer.Option(option, parser=whole(option, least, most), metavar="N", help=about)


_MOST_SEED = (1 << 63) - 1
WORDS = {"allow_interspersed_args": False}  # what follows the program's name belongs to the program
Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="-- PROGRAM", help="The program to run and its arguments.", show_default=False),
]
Machine = Annotated[
    str, typer.Option(help="auto: by how the program was built; host, a preset (lbhm machine list) or a machine file.")
]
NamedMachine = Annotated[str, typer.Option("--machine", help="host, a preset (lbhm machine list) or a machine file.")]
Fast = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE|BYTES",
        help="Fast memory: a share of the peak footprint (25%) or bytes (64M). [default: 25%; not on the host]",
    ),
]
FastAmounts = Annotated[
    str | None,
    typer.Option(
        "--fast",
        metavar="SHARE|BYTES,...",
        help="As for lbhm run; several (10%,25%,50%) show what more of it buys. [default: 25%; not on the host]",
    ),
]
_HEAP = "--heap/--no-heap"
_OBJECTS = "Blocks of malloc and new are objects (docs/using.md)."
HeapAlways = Annotated[bool, typer.Option(_HEAP, help=_OBJECTS)]
Heap = Annotated[
    bool | None,
    typer.Option(_HEAP, help=f"{_OBJECTS} [default: of programs that ask no OpenMP allocator]", show_default=False),
]


Threads = Annotated[
    int | None,
    typer.Option(
        parser=number_of_threads,
        metavar="N",
        help="OpenMP threads. [default: OMP_NUM_THREADS; else 12 on emulated machines]",
        show_default=False,
    ),
]
Input = Annotated[
    Path | None,
    typer.Option("--input", metavar="FILE", help="Standard input of every run. [default: that of this command]"),
]
Repeat = Annotated[
    int, number("--repeat", 1, 10_000, "On the host: run everything N times, in turn, and show medians and spread.")
]
Jobs = Annotated[
    int,
    number("--jobs", 1, 1024, "On emulated machines: runs at a time, with the same results; give as many as cores."),
]
Placements = Annotated[int, number("--placements", 1, 1000, "Placements between all slow and all fast.")]
Seed = Annotated[int, number("--seed", 0, _MOST_SEED, "Of everything random in LB-HM.")]
Json = Annotated[
    Path | None,
    typer.Option(
        "--json",
        metavar="FILE",
        help="Write the result as JSON (docs/files.md). -: to stdout; all else that is printed goes to stderr then.",
    ),
]
Result = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX",
        help="What of the output is the result: all matches, or their groups. [default: what no clock changes]",
    ),
]
