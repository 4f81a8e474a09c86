"""How a solution of lbhm optimize looks: a line a site, and what more fast memory would buy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from rich.markup import escape
from rich.table import Table

from lbhm.base.units import PAGE, format_bytes, format_count, format_share, format_time
from lbhm.files.use_rows import uses_of
from lbhm.optimize.optimize import FAST, Solution, Task, solve
from lbhm.output import tables

SHOWN = 40
STEPS = 10  # of the curve
GIB = 1 << 30
_BAR = 40


@dataclass
class SiteRow:
    name: str
    objects: int = 0
    bytes: int = 0
    loads: float = 0.0
    stores: float = 0.0
    hits: float = 0.0
    gain_ns: float = 0.0
    by_tier: Counter[int] = field(default_factory=Counter)  # births
    moves: int = 0
    too_large: int = 0
    worthless: int = 0
    told: int = 0  # the program says where they begin

    def goes(self, names: list[str]) -> str:
        parts = [f"{names[tier]} {count} of {self.objects}" for tier, count in sorted(self.by_tier.items())]
        return names[next(iter(self.by_tier))] if len(parts) == 1 else ", ".join(parts)

    def why(self, slowest: int) -> str:
        """In one clause."""
        if self.told == self.objects:
            return "is where the program wants it"
        if self.moves:
            return f"moves {self.moves} times, where a phase gains more than the copy takes"
        if self.by_tier[slowest] < self.objects:
            rest = "; for the others there is no room" if slowest in self.by_tier else ""
            return f"gains the most for its bytes{rest}"
        if self.worthless == self.objects:
            return "is not used" if self.loads + self.stores == 0 else "is not faster in faster memory"
        if self.too_large == self.objects:
            return "is larger than fast memory"
        return "others gain more for these bytes"


def site_rows(task: Task, solution: Solution) -> list[SiteRow]:
    """The site that gains the most first."""
    uses = task.profile["objects"]
    names = {site["site"]: site["name"] or f"site {site['site']}" for site in uses["sites"]}
    rows: dict[str, SiteRow] = {}
    moves = Counter(number for _, number, _, _ in solution.moves)
    for number, item in enumerate(uses["objects"]):
        row = rows.setdefault(item["site"], SiteRow(names.get(item["site"], f"site {item['site']}")))
        row.objects += 1
        row.bytes += item["bytes"]
        for use in uses_of(item):
            row.loads += use.loads * uses["period"]
            row.stores += use.stores * uses["period"]
            row.hits += use.hits * uses["period"]
        row.gain_ns += solution.worth_ns[number][FAST]
        row.by_tier[solution.tiers[number]] += 1
        row.moves += moves[number]
        row.too_large += item["bytes"] > task.capacities[FAST]
        row.told += "tier" in item
        row.worthless += max(solution.worth_ns[number]) <= 0
    return sorted(rows.values(), key=lambda row: -row.gain_ns)


def site_table(task: Task, solution: Solution, shown: Callable[[str], str] = str) -> Table:
    """shown: how a site's name is written for people."""
    numbers = ("objects", "bytes", "loads", "stores", "hits", "gains")
    table = tables.plain_table("site", *numbers, "goes to", "because it", right=numbers)
    rows = site_rows(task, solution)
    slowest = len(task.capacities) - 1
    for row in rows[:SHOWN]:
        touches = row.loads + row.stores
        table.add_row(
            escape(shown(row.name)),
            str(row.objects),
            format_bytes(row.bytes),
            format_count(row.loads),
            format_count(row.stores),
            format_share(row.hits / touches) if touches else tables.NOTHING,
            ("-" if row.gain_ns < 0 else "") + format_time(abs(row.gain_ns)),
            row.goes(task.figures.names),
            row.why(slowest),
        )
    if len(rows) > SHOWN:
        table.caption = f"the {SHOWN} that gain the most of {len(rows)}"
    return table


def curve(task: Task, footprint: int) -> list[tuple[int, float]]:
    """(bytes of fast memory, ns gained) from nothing to all."""
    amounts = [footprint * step // STEPS // PAGE * PAGE for step in range(STEPS + 1)]
    return [(amount, solve(task.with_fast(amount)).gain_ns) for amount in amounts]


def curve_lines(points: list[tuple[int, float]], chosen: int) -> list[str]:
    most = max((gain for _, gain in points), default=0) or 1
    lines = ["fast memory and the time that the objects gain by it, as the optimiser sees it:"]
    for amount, gain in points:
        bar = "█" * round(_BAR * max(gain, 0) / most)
        lines.append(f"{format_bytes(amount):>9} {bar} {format_time(max(gain, 0))}")
    return lines


def more_line(task: Task, solution: Solution) -> str:
    more = solve(task.with_fast(task.capacities[FAST] + GIB))
    gain = more.gain_ns - solution.gain_ns
    return f"1 GiB more fast memory would gain {format_time(max(gain, 0))} more"


def summary_line(task: Task, solution: Solution) -> str:
    items = zip(task.profile["objects"]["objects"], solution.tiers, strict=True)
    fast = sum(item["bytes"] for item, tier in items if tier == FAST)
    proof = "" if solution.exact else "; a knapsack was too hard, and its best solution so far was taken"
    return (
        f"{task.method}: {format_bytes(fast)} of objects are born in {task.figures.names[FAST]} "
        f"({format_bytes(task.capacities[FAST])}), {len(solution.moves)} moves; solved in "
        f"{solution.solve_seconds:.2f} s{proof}"
    )
