"""From cells to what can be said of policy lbhm, by machine and capacity, and as tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from harness.campaign.cells import ORACLE, REFERENCES
from harness.campaign.claim_programs import FIRST_TOUCH, OURS_JUDGED
from harness.campaign.spread import INSIDE, inside_spread
from harness.campaign.summary import add_distances, geometric_mean
from harness.campaign.tables import NOTHING, margin, percent
from harness.result import Table

NEAR, HARMLESS = 1.03, 1.01  # times of the best peer's time, of first touch's
WORST_SHOWN = 5

ByProgram = dict[str, dict[str, dict]]  # program -> policy -> cell
# Each judgement is a key of the result: machine -> capacity -> value.
KEYS = (
    "gain_over",
    "gain_inside_spread",
    "worst_over_best_peer",
    "share_within_3_percent_of_best_peer",
    "worst_over_first_touch",
    "share_at_most_1_percent_behind_first_touch",
    "oracle_distance",
    "programs",
)


def fields_of(results: list[dict], sets: dict[str, Collection[str]]) -> dict[str, Any]:
    """The keys at the top level, of all programs, and in `sets` the same of each set of programs."""
    add_distances(results)
    by_set = {name: judged([r for r in results if r["application"] in programs]) for name, programs in sets.items()}
    return judged(results) | {"sets": by_set, "cells": results}


def judged(results: list[dict]) -> dict[str, Any]:
    found: dict[str, Any] = {key: {} for key in KEYS}
    for (machine, capacity), programs in grouped(results).items():
        for key, value in judgement(programs).items():
            found[key].setdefault(machine, {})[capacity] = value
    return found


def grouped(results: list[dict]) -> dict[tuple[str, str], ByProgram]:
    """(machine, capacity) -> programs that ran under lbhm there."""
    found: dict[tuple[str, str], ByProgram] = {}
    for cell in results:
        if cell["policy"] not in REFERENCES:
            programs = found.setdefault((cell["preset"], cell["capacity"]), {})
            programs.setdefault(cell["application"], {})[cell["policy"]] = cell
    return {
        where: kept
        for where, programs in found.items()
        if (kept := {name: of for name, of in programs.items() if OURS_JUDGED in of})
    }


def judgement(programs: ByProgram) -> dict[str, Any]:
    """Of one machine and capacity. Programs whose runs under a peer failed are left out of what is said of it."""
    peers = list(dict.fromkeys(policy for of in programs.values() for policy in of if is_peer(policy)))
    pairs = {peer: [(of[OURS_JUDGED], of[peer]) for of in programs.values() if peer in of] for peer in peers}
    best = [over_best(name, of) for name, of in programs.items() if any(is_peer(policy) for policy in of)]
    first = [ratio_to(name, of, FIRST_TOUCH) for name, of in programs.items() if FIRST_TOUCH in of]
    distances = {
        policy: [of[policy]["oracle_distance"] for of in programs.values() if ORACLE in of and policy in of]
        for policy in (OURS_JUDGED, *peers)
    }
    return {
        "gain_over": {
            peer: round(geometric_mean(time(other) / time(mine) for mine, other in of), 4) for peer, of in pairs.items()
        },
        "gain_inside_spread": [peer for peer, of in pairs.items() if inside_spread(of)],
        "worst_over_best_peer": worst(best),
        "share_within_3_percent_of_best_peer": share(best, NEAR),
        "worst_over_first_touch": worst(first),
        "share_at_most_1_percent_behind_first_touch": share(first, HARMLESS),
        "oracle_distance": {policy: round(sum(of) / len(of), 4) for policy, of in distances.items() if of},
        "programs": len(programs),
    }


def is_peer(policy: str) -> bool:
    return policy not in (*REFERENCES, OURS_JUDGED, ORACLE)


def time(cell: dict) -> float:
    return cell["makespan_ns"]


def over_best(name: str, of: dict[str, dict]) -> dict[str, Any]:
    return ratio_to(name, of, min(filter(is_peer, of), key=lambda policy: time(of[policy])))


def ratio_to(name: str, of: dict[str, dict], peer: str) -> dict[str, Any]:
    return {"ratio": round(time(of[OURS_JUDGED]) / time(of[peer]), 4), "program": name, "peer": peer}


def worst(ratios: list[dict]) -> dict[str, Any] | None:
    return max(ratios, key=lambda of: of["ratio"], default=None)


def share(ratios: list[dict], most: float) -> float | None:
    return round(sum(of["ratio"] <= most for of in ratios) / len(ratios), 4) if ratios else None


def tables_of(fields: dict[str, Any]) -> list[Table]:
    parts = {"all programs": fields} if len(fields["sets"]) > 1 else {}
    parts |= {f"set {name}": of for name, of in fields["sets"].items()}
    return [claim_table(name, of) for name, of in parts.items()] + worst_tables(fields["cells"])


def claim_table(name: str, of: dict[str, Any]) -> Table:
    """A column for each machine and capacity. Gains as the campaign's: time of the other / time - 1."""
    places = [(machine, capacity) for machine, by in of["programs"].items() for capacity in by]
    here = [{key: of[key][machine][capacity] for key in KEYS} for machine, capacity in places]
    peers = list(dict.fromkeys(peer for each in here for peer in each["gain_over"]))
    rows = [[f"gain over {peer}", *(gain_shown(each, peer) for each in here)] for peer in peers]
    for title, key, shown in SHOWN:
        rows.append([title, *(shown(each[key]) for each in here)])
    columns = ["", *(f"{machine} {capacity}" for machine, capacity in places)]
    return Table(columns, rows, f"{OURS_JUDGED}, {name} ({INSIDE}: inside the spread)")


def gain_shown(here: dict[str, Any], peer: str) -> str:
    gain = here["gain_over"].get(peer)
    return margin(None if gain is None else gain - 1, peer in here["gain_inside_spread"])


def ratio_shown(of: dict[str, Any] | None) -> str:
    return NOTHING if of is None else f"{of['ratio']:.3f}"


SHOWN = (
    ("worst time / best peer's", "worst_over_best_peer", ratio_shown),
    ("programs within 3 % of it", "share_within_3_percent_of_best_peer", percent),
    ("worst time / first touch's", "worst_over_first_touch", ratio_shown),
    ("programs at most 1 % behind", "share_at_most_1_percent_behind_first_touch", percent),
    ("from the oracle", "oracle_distance", lambda of: percent(of.get(OURS_JUDGED))),
    ("programs", "programs", str),
)


def worst_tables(results: list[dict]) -> list[Table]:
    """Where lbhm is farthest behind, by machine and capacity."""
    columns = ["program", "/ best", "/ first touch", f"{OURS_JUDGED}, ms (spread)", "ms (spread)", "best peer"]
    tables = []
    for (machine, capacity), programs in grouped(results).items():
        ratios = {name: over_best(name, of) for name, of in programs.items() if any(map(is_peer, of))}
        farthest = sorted(ratios, key=lambda name: -ratios[name]["ratio"])[:WORST_SHOWN]
        rows = [worst_row(ratios[name], programs[name]) for name in farthest]
        tables.append(Table(columns, rows, f"{machine}, {capacity}: the {WORST_SHOWN} programs that fare worst"))
    return tables


def worst_row(ratio: dict[str, Any], of: dict[str, dict]) -> list[str]:
    first = ratio_to(ratio["program"], of, FIRST_TOUCH) if FIRST_TOUCH in of else None
    mine, other = (
        f"{time(cell) / 1e6:.2f} ({percent(cell.get('spread'))})" for cell in (of[OURS_JUDGED], of[ratio["peer"]])
    )
    return [ratio["program"], ratio_shown(ratio), ratio_shown(first), mine, other, ratio["peer"]]
