"""From cells to the paper's figures: gains, reductions of the A.C.V., distances to the oracle."""

import math
from collections.abc import Iterable

from harness.campaign.cells import NAMED_ONLY, ORACLE, OURS, PEERS, REFERENCES, SPECIFIC, WHOLE
from harness.campaign.spread import inside_spread

Table = dict[tuple[str, str, str, str], dict]  # (application, preset, capacity, policy) -> cell


def as_table(cells: list[dict]) -> Table:
    return {(c["application"], c["preset"], c["capacity"], c["policy"]): c for c in cells}


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """None of none; ratios of 0 or infinity are left out."""
    logs = [math.log(ratio) for ratio in ratios if ratio > 0 and math.isfinite(ratio)]
    return math.exp(sum(logs) / len(logs)) if logs else None


def add_distances(cells: list[dict]) -> None:
    """How much longer than the executed oracle, and than its bound, at the same capacity."""
    table = as_table(cells)
    for cell in cells:
        oracle = table.get((cell["application"], cell["preset"], cell["capacity"], ORACLE))
        for key, against in (("oracle_distance", "makespan_ns"), ("bound_distance", "bound_ns")):
            base = (oracle or {}).get(against)
            cell[key] = round(cell["makespan_ns"] / base - 1, 4) if base else None


def pairs(table: Table, policy: str, peer: str, preset: str, capacity: str) -> list[tuple[dict, dict]]:
    """(cell of the policy, cell of the peer) by application, where both were run."""
    found = []
    for (application, *rest), cell in table.items():
        if rest != [preset, capacity if policy not in REFERENCES else WHOLE, policy]:
            continue
        other = table.get((application, preset, capacity if peer not in REFERENCES else WHOLE, peer))
        if other:
            found.append((cell, other))
    return found


def ratios(key: str, of: list[tuple[dict, dict]]) -> list[float]:
    """peer / policy."""
    return [peer[key] / cell[key] for cell, peer in of if cell[key] and peer[key]]


def others(policy: str) -> list[str]:
    specific = (name for names in SPECIFIC.values() for name in names)
    everyone = (*REFERENCES, *PEERS, *NAMED_ONLY, *specific, *OURS, ORACLE)
    return [peer for peer in dict.fromkeys(everyone) if peer != policy]


def compared(table: Table, key: str, preset: str, capacity: str, value) -> dict[str, dict[str, float]]:
    """policy -> peer -> value(geometric mean of peer / policy)."""
    result: dict[str, dict[str, float]] = {}
    for policy in OURS:
        for peer in others(policy):
            mean = geometric_mean(ratios(key, pairs(table, policy, peer, preset, capacity)))
            if mean is not None:
                result.setdefault(policy, {})[peer] = round(value(mean), 4)
    return result


def undecided(table: Table, preset: str, capacity: str) -> dict[str, list[str]]:
    """policy -> peers over which its gain lies inside the spread."""
    return {
        policy: [peer for peer in others(policy) if inside_spread(pairs(table, policy, peer, preset, capacity))]
        for policy in OURS
    }


def accuracies(cells: list[dict], key: str) -> dict[str, float]:
    """application -> how right lbhm was at 25 % on optane."""
    here = [c for c in cells if (c["preset"], c["capacity"], c["policy"]) == ("optane", "25%", "lbhm")]
    return {c["application"]: c[key] for c in here if c.get(key) is not None}


def summary(cells: list[dict]) -> dict:
    """The keys at the top level of the campaign's JSON."""
    add_distances(cells)
    table = as_table(cells)
    distances: dict[str, list[float]] = {}
    for cell in cells:
        if cell["oracle_distance"] is not None:
            distances.setdefault(cell["policy"], []).append(cell["oracle_distance"])
    return {
        "cells": cells,
        "gain_over": compared(table, "makespan_ns", "optane", "25%", lambda mean: mean - 1),
        "gain_inside_spread": undecided(table, "optane", "25%"),
        "acv_reduction_over": compared(table, "acv", "optane", "25%", lambda mean: 1 - 1 / mean),
        "oracle_distance": {policy: round(sum(of) / len(of), 4) for policy, of in distances.items()},
        "accuracy_median": accuracies(cells, "accuracy_median"),
        "accuracy_time_weighted": accuracies(cells, "accuracy_time_weighted"),
    }
