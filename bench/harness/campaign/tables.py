"""The campaign's tables, for the terminal and for the page."""

from harness.campaign.cells import (
    APPLICATIONS,
    CAPACITIES,
    ORACLE,
    OURS,
    PACES,
    REFERENCES,
    SWEPT,
    all_policies,
)
from harness.campaign.spread import INSIDE, inside_spread
from harness.campaign.summary import as_table, geometric_mean
from harness.result import Table

NOTHING = "–"
PAPER_GAINS = {"slow-only": "23.6 %", "memory-mode": "17.1 %", "memory-optimizer": "15.4 %", "sparta": "17.3 %"}
PAPER_GAINS["warpx-pm"] = "-4.6 %"
PAPER_ACV = {"memory-mode": "51.6 %", "memory-optimizer": "42.7 %"}


def percent(value: float | None, digits: int = 1) -> str:
    return NOTHING if value is None else f"{100 * value:.{digits}f} %"


def applications_in(cells: list[dict]) -> list[str]:
    present = {cell["application"] for cell in cells}
    return [name for name in APPLICATIONS if name in present]


def policies_in(cells: list[dict]) -> list[str]:
    present = {cell["policy"] for cell in cells}
    return [policy for policy in all_policies() if policy in present]


def at(cells: list[dict], preset: str, capacity: str) -> list[dict]:
    """The cells of a preset and capacity, the references among them."""
    return [c for c in cells if c["preset"] == preset and (c["capacity"] == capacity or c["policy"] in REFERENCES)]


def times_table(cells: list[dict], preset: str, capacity: str) -> Table:
    """Times relative to slow-only and A.C.V., by policy and application."""
    here = at(cells, preset, capacity)
    names = applications_in(here)
    by = {(c["application"], c["policy"]): c for c in here}
    rows = []
    for policy in policies_in(here):
        row, ratios = [policy], []
        for name in names:
            cell, reference = by.get((name, policy)), by.get((name, "slow-only"))
            if not cell or not reference:
                row.append(NOTHING)
                continue
            ratios.append(cell["makespan_ns"] / reference["makespan_ns"])
            row.append(f"{cell['makespan_ns'] / 1e6:.1f} ({cell['acv']:.3f}; {percent(cell.get('spread'))})")
        mean = geometric_mean(ratios) if len(ratios) == len(names) else None
        rows.append([*row, NOTHING if mean is None else f"{mean:.3f}", *distances(here, policy)])
    columns = ["policy", *names, "time / slow-only", "from oracle", "from bound"]
    return Table(columns, rows, f"{preset}, fast memory {capacity}: median time in ms (A.C.V.; spread), means")


def distances(cells: list[dict], policy: str) -> list[str]:
    """Mean distance to the executed oracle and to the bound."""
    shown = []
    for key in ("oracle_distance", "bound_distance"):
        values = [c[key] for c in cells if c["policy"] == policy and c[key] is not None]
        shown.append(percent(sum(values) / len(values) if values else None))
    return shown


def margin(value: float | None, inside: bool) -> str:
    """A gain, marked where it lies inside the spread."""
    return (INSIDE if inside and value is not None else "") + percent(value)


def gains_table(fields: dict, key: str, title: str, paper: dict[str, str], marked: bool = False) -> Table:
    """marked: with the mark of gains inside the spread."""
    peers = list(dict.fromkeys(peer for of in fields[key].values() for peer in of))
    undecided = fields["gain_inside_spread"] if marked else {}
    rows = []
    for peer in peers:
        shown = [margin(fields[key].get(p, {}).get(peer), peer in undecided.get(p, ())) for p in OURS]
        rows.append([peer, *shown, paper.get(peer, NOTHING)])
    return Table(["over", *OURS, "paper, merchandiser"], rows, title)


def best_peer_table(cells: list[dict], preset: str) -> Table:
    """How far lbhm is ahead of the quickest peer of each application, and which that is."""
    names, rows = applications_in(cells), []
    here = [c for c in cells if c["preset"] == preset and c["policy"] not in (*REFERENCES, *OURS, ORACLE)]
    ours = {(c["application"], c["capacity"]): c for c in cells if c["preset"] == preset and c["policy"] == "lbhm"}
    for capacity in CAPACITIES:
        row = [capacity]
        for name in names:
            peers = [c for c in here if (c["application"], c["capacity"]) == (name, capacity)]
            mine = ours.get((name, capacity))
            if not mine or not peers:
                row.append(NOTHING)
                continue
            best = min(peers, key=lambda c: c["makespan_ns"])
            gain = best["makespan_ns"] / mine["makespan_ns"] - 1
            row.append(f"{margin(gain, inside_spread([(mine, best)]))} {best['policy']}")
        if set(row[1:]) != {NOTHING}:
            rows.append(row)
    return Table(["fast memory", *names], rows, f"{preset}: gain of lbhm over the quickest peer")


def accuracy_table(cells: list[dict]) -> Table:
    """Table 4 of the paper, with the median and the time-weighted error beside the mean."""
    here = at(cells, "optane", "25%")
    by = {(c["application"], c["policy"]): c for c in here}
    ways = {"mean": "accuracy", "median": "accuracy_median", "by time": "accuracy_time_weighted"}
    rows = []
    for name in applications_in(here):
        application = APPLICATIONS[name]
        values = [percent(by.get((name, policy), {}).get(key)) for policy in OURS for key in ways.values()]
        rows.append([f"{name} ({application.paper})", *values, percent(application.accuracy)])
    columns = ["application", *(f"{policy}, {way}" for policy in OURS for way in ways), "paper"]
    return Table(columns, rows, "Table 4: accuracy of predicted task times")


def deciding_table(cells: list[dict]) -> Table:
    """decision_ns of the reports."""
    here = at(cells, "optane", "25%")
    names = applications_in(here)
    by = {(c["application"], c["policy"]): c.get("decision_ns") for c in here}
    rows = []
    for policy in OURS:
        values = [by.get((name, policy)) for name in names]
        rows.append([policy, *(NOTHING if value is None else f"{value / 1e6:.2f}" for value in values)])
    return Table(["policy", *names], rows, "deciding, ms, at 25 % on optane")


def capacity_table(cells: list[dict], preset: str) -> Table:
    """Geometric means over applications, by policy and capacity."""
    table = as_table(cells)
    names = applications_in(cells)
    rows = []
    for policy in policies_in(cells):
        if policy in REFERENCES:
            continue
        row = [policy]
        for capacity in CAPACITIES:
            ratios = [
                table[name, preset, capacity, policy]["makespan_ns"]
                / table[name, preset, "all", "slow-only"]["makespan_ns"]
                for name in names
                if (name, preset, capacity, policy) in table and (name, preset, "all", "slow-only") in table
            ]
            mean = geometric_mean(ratios) if len(ratios) == len(names) else None
            row.append(NOTHING if mean is None else f"{mean:.3f}")
        rows.append(row)
    return Table(
        ["policy", *CAPACITIES], rows, f"{preset}: time / slow-only by capacity, geometric mean of the applications"
    )


def sweep_table(cells: list[dict]) -> Table:
    """Geometric means of the times over the applications, relative to slow-only, by peer and pace."""
    slow = {c["application"]: c["makespan_ns"] for c in cells if c["policy"] == REFERENCES[0]}
    ratios: dict[tuple[str, float], list[float]] = {}
    for cell in cells:
        if cell["policy"] != REFERENCES[0]:
            ratio = cell["makespan_ns"] / slow[cell["application"]]
            ratios.setdefault((cell["policy"], cell["pace"]), []).append(ratio)
    rows = []
    for policy in PACES:
        means = [geometric_mean(ratios.get((policy, pace), [])) for pace in SWEPT]
        rows.append([policy, *(NOTHING if mean is None else f"{mean:.4f}" for mean in means)])
    return Table(["policy", *(f"pace {pace:g}" for pace in SWEPT)], rows, "sweep: time / slow-only, optane, 25 %")


def tables_of(fields: dict) -> list[Table]:
    cells = fields["cells"]
    presets = list(dict.fromkeys(cell["preset"] for cell in cells))
    tables = [times_table(cells, preset, "25%") for preset in presets]
    if len({cell["capacity"] for cell in cells}) > 2:
        tables += [capacity_table(cells, preset) for preset in presets]
    tables += [best_peer_table(cells, preset) for preset in presets]
    title = f"gain at 25 % on optane: time of the other / time - 1; {INSIDE}: inside the spread"
    tables.append(gains_table(fields, "gain_over", title, PAPER_GAINS, marked=True))
    tables.append(gains_table(fields, "acv_reduction_over", "reduction of the A.C.V. at 25 % on optane", PAPER_ACV))
    return [*tables, accuracy_table(cells), deciding_table(cells)]
