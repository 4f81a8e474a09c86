"""The command `lbhm optimize`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from lbhm.base.errors import Refusal
from lbhm.base.units import parse_fast
from lbhm.options.options import NamedMachine, number
from lbhm.output import output

app = typer.Typer()
Profile = Annotated[Path, typer.Argument(metavar="PROFILE", help="What lbhm profile wrote.")]
Amount = Annotated[
    str, typer.Option(metavar="SHARE|BYTES", help="Fast memory: a share of the peak footprint, or bytes.")
]
Method = Annotated[
    str,
    typer.Option(
        help="docs/h2m.md: first-come, initial, lifetime, phases, balanced; sicm.md: knapsack, hotset, thermos."
    ),
]
Horizon = Annotated[int, number("--horizon", 1, 1000, "phases: so many are looked at, the one that begins included.")]
Worth = Annotated[
    str,
    typer.Option(
        help="traffic: lines from and to memory; accesses: all touched ones; misses: loads from memory; unimem."
    ),
]
Unit = Annotated[
    str, typer.Option(help="object: each by itself, as in H2M; site: all objects of a site as one, as in SICM.")
]
File = Annotated[Path, typer.Option("--output", metavar="FILE", help="Where the placement is written.")]
Curve = Annotated[bool, typer.Option("--curve/--no-curve", help="Show what more fast memory would gain.")]


@app.command("optimize")
def optimize_command(
    profile: Profile,
    machine: NamedMachine = "",
    fast: Amount = "25%",
    method: Method = "lifetime",
    horizon: Horizon = 1,
    worth: Worth = "",
    unit: Unit = "",
    file: File = Path("placement.json"),
    plot: Curve = True,
) -> None:
    """Choose a memory for each object of a profile: a placement for lbhm run --placement."""
    from lbhm.optimize.memory_figures import memory_figures
    from lbhm.optimize.optimize import METHODS, UNITS, WORTHS, Task, placement_json, read_profile, shown_sites, solve
    from lbhm.optimize.optimize_table import curve, curve_lines, more_line, site_table, summary_line

    _check(("method", method, METHODS), ("worth", worth or WORTHS[0], WORTHS), ("unit", unit or UNITS[0], UNITS))
    found = read_profile(profile)
    name = machine or found["machine"]
    with output.steps() as begins:
        figures = memory_figures(name, found["threads"], begins)
    if len(figures.names) < 2:
        raise Refusal(f"--machine {name}: it has one memory, so there is nothing to choose")
    footprint = found["footprint_bytes"]
    capacity = parse_fast(fast).capacity(footprint)
    task = Task(found, figures, name, method, [capacity, *figures.capacities[1:]], horizon, worth, unit=unit)
    solution = solve(task)
    output.write_json(file, placement_json(task, solution), compact=True)
    if name != found["machine"]:
        output.say(f"the profile is of machine {found['machine']}: what its caches served stands for {name}'s")
    output.console().print(site_table(task, solution, shown_sites(found)))
    lines = [summary_line(task, solution), more_line(task, solution)]
    if plot:
        lines += curve_lines(curve(task, footprint), capacity)
    lines.append(f"written to {file}; lbhm run --placement {file} -- {' '.join(found['command'])}")
    output.notes(lines)


def _check(*options: tuple[str, str, Iterable[str]]) -> None:
    for option, value, known in options:
        if value not in known:
            raise Refusal(f"--{option} {value}: is unknown; choose from: {', '.join(known)}")
