"""How what was measured of memory nodes looks."""

from __future__ import annotations

from typing import Any

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import format_bytes
from lbhm.output.tables import plain_table

_LOUD = 0.25  # a spread from which on a figure is doubtful (figures.py)
_STREAMS = ("read", "write", "copy", "triad")


def tier_table(content: dict[str, Any]) -> Table:
    table = plain_table("tier", "nodes", "capacity", "latency", "at 90 %", "read", "write", "triad")
    for tier in content["tiers"]:
        waits = [tier["latency_ns"], tier.get("latency_loaded_ns")]
        latencies = [f"{latency:g} ns" if latency else "not measurable" for latency in waits]
        rates = [f"{tier[f'{what}_bandwidth_gb_per_s']:g} GB/s" for what in ("read", "write", "triad")]
        nodes = ", ".join(map(str, tier["nodes"]))
        table.add_row(escape(tier["name"]), nodes, format_bytes(tier["capacity_bytes"]), *latencies, *rates)
    return table


def measurement_table(content: dict[str, Any]) -> Table:
    """A line a compute place, memory node and number of threads; GB/s, and how far the repetitions lay apart."""
    table = plain_table("from", "node", "class", "threads", *(f"{what} GB/s" for what in _STREAMS))
    for found in content["measurements"]:
        figures = found["figures"]
        prefix = "triad_gb_per_s_"
        for threads in sorted(int(name.removeprefix(prefix)) for name in figures if name.startswith(prefix)):
            cells = [_cell(figures.get(f"{what}_gb_per_s_{threads}")) for what in _STREAMS]
            table.add_row(*map(str, (found["place"], found["node"], found["class"], threads)), *cells)
    return table


def curves_table(tier: dict[str, Any]) -> Table:
    """A line a share of reads; latencies at some uses of the greatest bandwidth."""
    uses, shown = tier["curves"]["uses"], (0.5, 0.8, 0.9, 1)
    at_uses = [f"latency at {use:.0%}" for use in shown]
    table = plain_table(str(tier["name"]), "reads", "GB/s", *at_uses, right=("reads", "GB/s", *at_uses))
    for row in tier["curves"]["rows"]:
        ratios = [f"{row['latency_ratios'][uses.index(use)]:.2f} x" for use in shown]
        table.add_row("", f"{row['read_percent']:g} %", f"{row['bandwidth_gb_per_s']:g}", *ratios)
    return table


def migration_table(content: dict[str, Any]) -> Table | None:
    """Moving pages; None with one node."""
    if not content["migrations"]:
        return None
    table = plain_table("from node", "to", "page", "pages a call", "GB/s")
    for found in content["migrations"]:
        for name, figure in found["figures"].items():
            page, batch = name.split("_")[-2:]
            table.add_row(str(found["from"]), str(found["to"]), format_bytes(int(page)), batch, _cell(figure))
    return table


def unimem_line(content: dict[str, Any]) -> str:
    """Unimem's factors in a sentence; empty where there are none."""
    found = content.get("unimem")
    if not found:
        return ""
    values = {name: f"{found[name]['value']:.3g}" for name in ("cf_bw", "cf_lat", "peak_gb_per_s")}
    return (
        f"by sampled {found['source']}: CF_bw {values['cf_bw']}, CF_lat {values['cf_lat']}, peak of the slowest memory "
        f"{values['peak_gb_per_s']} GB/s"
    )


def loud(content: dict[str, Any]) -> list[str]:
    """Figures behind the tiers whose repetitions lay far apart."""
    names = []
    for found in content["measurements"]:
        for name, figure in found["figures"].items():
            if figure and figure["spread"] > _LOUD and name.startswith(("latency_ns", "latency_loaded_ns", *_STREAMS)):
                names.append(f"{name} of node {found['node']}")
    return names


def _cell(figure: dict[str, float] | None) -> str:
    if not figure:
        return "not measurable"
    spread = f" ({figure['spread']:.0%})" if figure["spread"] else ""
    return f"{figure['value']:.4g}{spread}"
