"""What the choosers of H2M want to know of a machine, measured: latency, bandwidth by threads, ns a moved page.

The figures are those of `lbhm machine measure` (lbhm.host/1). Of presets they are shipped beside the machine files; of
other machines they are measured once, and kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import find_build
from lbhm.base.errors import Refusal
from lbhm.base.units import PAGE
from lbhm.files.json_reader import read_json
from lbhm.machine import HOST, file_of, fingerprint, host_figures, read_machine
from lbhm.output import output

FACTORS = ("cf_bw", "cf_lat", "peak_gb_per_s")  # of Unimem
_MOVE = re.compile(rf"move_gb_per_s_{PAGE}_(\d+)")


@dataclass(frozen=True)
class MemoryFigures:
    """Of the tiers, the fastest first. lane_*: one thread alone. page_move_ns: [from][to]. unimem: cf_bw, cf_lat,
    peak_gb_per_s and the source of the samples that they are of; None where nobody could measure them."""

    names: list[str]
    capacities: list[int]
    latencies_ns: list[float]
    read_gb_per_s: list[float]
    write_gb_per_s: list[float]
    lane_read_gb_per_s: list[float]
    lane_write_gb_per_s: list[float]
    page_move_ns: list[list[float]]
    unimem: dict[str, Any] | None = None


def memory_figures(name: str, threads: int, say: Callable[[str], None]) -> MemoryFigures:
    """With so many threads. `say` hears what is being measured. Raises Refusal."""
    if name == HOST:
        return _of_host(host_figures(), threads)
    file = file_of(name)
    # What is shipped counts if it is of this machine file as it is now.
    content = _read(file.parent / "measured" / file.name, fingerprint(file)) or _kept(file, say)
    try:
        return figures_in(content, read_machine(file)["tiers"], threads)
    except (KeyError, TypeError, ValueError, IndexError):
        raise Refusal(
            f"the figures of machine {name} are incomplete; measure them again: lbhm machine measure --machine {name}"
        ) from None


def _of_host(file: Path, threads: int) -> MemoryFigures:
    """Of what lbhm machine measure found here; a tier is as its first node is for the processors nearest to it."""
    again = "measure this machine: lbhm machine measure"
    try:
        content = read_json(file)
        tiers = content["tiers"]
        nodes = [tier["nodes"][0] for tier in tiers]
        nearest = {
            node: max(
                (found["figures"] for found in content["measurements"] if found["node"] == node),
                key=lambda figures: at_threads(figures, "triad", threads),
            )
            for node in nodes
        }
        alone = {
            "measurements": [{"node": at, "figures": nearest[node]} for at, node in enumerate(nodes)],
            "migrations": [
                move | {"from": nodes.index(move["from"]), "to": nodes.index(move["to"])}
                for move in content["migrations"]
                if move["from"] in nodes and move["to"] in nodes
            ],
            "unimem": content.get("unimem"),
        }
        shown = [{"name": tier["name"], "capacity_bytes": {"value": tier["capacity_bytes"]}} for tier in tiers]
        return figures_in(alone, shown, threads)
    except OSError:
        raise Refusal(f"{file}: there are no figures of the host's memories yet; {again}") from None
    except (KeyError, TypeError, ValueError, IndexError):
        raise Refusal(f"{file}: the figures of the host's memories are incomplete; {again}") from None


def figures_in(content: dict[str, Any], tiers: list[dict[str, Any]], threads: int) -> MemoryFigures:
    """Of the content of a file lbhm.host/1, in which node i is tier i, and the tiers of the machine file."""
    places = range(len(tiers))
    found = {measurement["node"]: measurement["figures"] for measurement in content["measurements"]}
    moves = {(move["from"], move["to"]): move["figures"] for move in content["migrations"]}
    unimem = content.get("unimem")
    return MemoryFigures(
        names=[tier["name"] for tier in tiers],
        capacities=[int(tier["capacity_bytes"]["value"]) for tier in tiers],
        latencies_ns=[found[node]["latency_ns"]["value"] for node in places],
        read_gb_per_s=[at_threads(found[node], "read", threads) for node in places],
        write_gb_per_s=[at_threads(found[node], "write", threads) for node in places],
        lane_read_gb_per_s=[at_threads(found[node], "read", 1) for node in places],
        lane_write_gb_per_s=[at_threads(found[node], "write", 1) for node in places],
        page_move_ns=[[0.0 if a == b else _page_move(moves[a, b]) for b in places] for a in places],
        unimem=unimem and {"source": unimem["source"]} | {name: unimem[name]["value"] for name in FACTORS},
    )


def at_threads(figures: dict[str, Any], what: str, threads: int) -> float:
    """GB/s, between measured numbers of threads linear in the logarithm, beyond them as at the last one."""
    begin = f"{what}_gb_per_s_"
    measured = {name: figure["value"] for name, figure in figures.items() if figure and name.startswith(begin)}
    points = sorted((int(name.removeprefix(begin)), value) for name, value in measured.items())
    below = max((point for point in points if point[0] <= threads), default=points[0])
    above = min((point for point in points if point[0] >= threads), default=points[-1])
    if below[0] == above[0]:
        return below[1]
    share = math.log(threads / below[0]) / math.log(above[0] / below[0])
    return below[1] + share * (above[1] - below[1])


def _page_move(figures: dict[str, Any]) -> float:
    """In the largest batch: objects are large."""
    known = [name for name, found in figures.items() if found and _MOVE.fullmatch(name)]
    return PAGE / figures[max(known, key=lambda name: int(_MOVE.fullmatch(name)[1]))]["value"]


def _kept(file: Path, say: Callable[[str], None]) -> dict[str, Any]:
    kept = find_build().kept / "measured" / f"{file.stem}-{fingerprint(file)}.json"
    found = _read(kept, fingerprint(file))
    if found is None:
        from lbhm.measure.measure_emulated import measure_emulated  # here: lbhm run needs it almost never

        found = measure_emulated(str(file), say)
        kept.parent.mkdir(parents=True, exist_ok=True)
        output.write_json(kept, found)
    return found


def _read(file: Path, fingerprint: str) -> dict[str, Any] | None:
    try:
        content = read_json(file)
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) and content.get("machine_file") == fingerprint else None
