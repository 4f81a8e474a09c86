"""The campaign's tables, for the terminal and for the page."""

from harness.campaign.cells import APPLICATIONS, CAPACITIES, OURS, PACES, PARTS, REFERENCES, SWEPT, policies_of
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
    known = dict.fromkeys(policy for name in APPLICATIONS for policy in policies_of(name))
    return [policy for policy in known if policy in present]


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
            row.append(f"{cell['makespan_ns'] / 1e6:.1f} ({cell['acv']:.3f})")
        mean = geometric_mean(ratios) if len(ratios) == len(names) else None
        rows.append([*row, NOTHING if mean is None else f"{mean:.3f}", *distances(here, policy)])
    columns = ["policy", *names, "time / slow-only", "from oracle", "from bound"]
    return Table(columns, rows, f"{preset}, fast memory {capacity}: time in ms (A.C.V.), means")


def distances(cells: list[dict], policy: str) -> list[str]:
    """Mean distance to the executed oracle and to the bound."""
    shown = []
    for key in ("oracle_distance", "bound_distance"):
        values = [c[key] for c in cells if c["policy"] == policy and c[key] is not None]
        shown.append(percent(sum(values) / len(values) if values else None))
    return shown


def gains_table(fields: dict, key: str, title: str, paper: dict[str, str]) -> Table:
    peers = list(dict.fromkeys(peer for of in fields[key].values() for peer in of))
    rows = [
        [peer, *(percent(fields[key].get(policy, {}).get(peer)) for policy in OURS), paper.get(peer, NOTHING)]
        for peer in peers
    ]
    return Table(["over", *OURS, "paper, merchandiser"], rows, title)


def accuracy_table(cells: list[dict]) -> Table:
    """Table 4 of the paper."""
    here = at(cells, "optane", "25%")
    by = {(c["application"], c["policy"]): c["accuracy"] for c in here}
    rows = []
    for name in applications_in(here):
        application = APPLICATIONS[name]
        values = [percent(by.get((name, policy))) for policy in OURS]
        rows.append([f"{name} ({application.paper})", *values, percent(application.accuracy)])
    return Table(["application", *OURS, "paper"], rows, "Table 4: accuracy of predicted task times")


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


def ablation_table(cells: list[dict]) -> Table:
    """Times of lbhm without each part, relative to those with all, and their geometric mean."""
    whole = {c["application"]: c["makespan_ns"] for c in cells if c["policy"] == "lbhm" and not c["without"]}
    names = [name for name in applications_in(cells) if name in whole]
    times = {(c["without"], c["application"]): c["makespan_ns"] for c in cells if c["policy"] == "lbhm"}
    rows = []
    for part in PARTS:
        ratios = [times[part, name] / whole[name] if (part, name) in times else None for name in names]
        mean = geometric_mean([ratio for ratio in ratios if ratio])
        shown = [percent(None if ratio is None else ratio - 1) for ratio in ratios]
        rows.append([part, *shown, percent(None if mean is None else mean - 1)])
    return Table(
        ["without", *names, "mean"], rows, "ablation: how much longer lbhm takes without a part (optane, 25 %)"
    )


def tables_of(fields: dict) -> list[Table]:
    cells = fields["cells"]
    presets = list(dict.fromkeys(cell["preset"] for cell in cells))
    tables = [times_table(cells, preset, "25%") for preset in presets]
    if len({cell["capacity"] for cell in cells}) > 2:
        tables += [capacity_table(cells, preset) for preset in presets]
    tables.append(gains_table(fields, "gain_over", "gain at 25 % on optane: time of the other / time - 1", PAPER_GAINS))
    tables.append(gains_table(fields, "acv_reduction_over", "reduction of the A.C.V. at 25 % on optane", PAPER_ACV))
    return [*tables, accuracy_table(cells)]
