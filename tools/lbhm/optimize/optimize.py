"""lbhm optimize: from a profile and a machine to a tier for each object (H2M, CLUSTER '24, section III-D; so that tasks
end together) or for each site (SICM, TACO 2022, section 3.2).

The choosers are C++ (runtime/placement/choose), in the program lbhm-choose; here is what they are asked, and the
placement file that their answer becomes.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lbhm import __version__
from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.files.json_reader import parse_json
from lbhm.files.report import read_kept
from lbhm.files.use_rows import Use, rows, uses_of
from lbhm.optimize.memory_figures import FACTORS, MemoryFigures
from lbhm.optimize.pages_over_time import PagesOverTime
from lbhm.optimize.task_uses import task_rows
from lbhm.program.place_names import place_names
from lbhm.program.started_programs import code_files_of

PROGRAM = "lbhm-choose"
H2M = {"first-come": "h2m-fcfs", "initial": "h2m-initial", "lifetime": "h2m-lifetime", "phases": "h2m-phases"}
SICM = dict.fromkeys(("knapsack", "hotset", "thermos"), "sicm-offline")  # TACO 2022, section 3.2.1
BALANCED = "balanced"
METHODS = H2M | {BALANCED: "lbhm-offline"} | SICM
CHOOSERS = {"knapsack": "initial"}  # what lbhm-choose calls a method, where that is not its name
WORTHS = ("traffic", "accesses", "misses", "unimem")
UNITS = ("object", "site")
RATIOS = {"latency": 0.0, "bandwidth": 1.0}  # R of Eq. 1, where the program says what slows it down
SENSITIVE_NS = {"latency": 1e30, "bandwidth": 0.0}  # the same for Unimem's Eq. 1: over ages, or all at once
FAST = 0
_SCHEMA = "lbhm.profile/2"


@dataclass(frozen=True)
class Task:
    """What is to be optimised. capacities: bytes by tier. moves_are_free: in the optimiser alone, for experiments."""

    profile: dict[str, Any]
    figures: MemoryFigures
    machine: str
    method: str
    capacities: list[int]
    horizon: int = 1
    worth: str = ""  # one of WORTHS; empty: what suits the method
    moves_are_free: bool = False
    unit: str = ""  # or "object", or "site": all objects of a site are placed as one; empty: what suits the method

    def __post_init__(self) -> None:
        of_sicm = self.method in SICM
        object.__setattr__(self, "worth", self.worth or ("misses" if of_sicm else "traffic"))
        object.__setattr__(self, "unit", self.unit or ("site" if of_sicm else "object"))

    def with_fast(self, capacity: int) -> Task:
        return replace(self, capacities=[capacity, *self.capacities[1:]])


@dataclass(frozen=True)
class Solution:
    """tiers: where each object is born. moves: [phase, object, from, to]. worth_ns: by object and tier, against the
    slowest one. gain_ns: what the objects save where they are, less what moving them takes."""

    tiers: list[int]
    moves: list[list[int]]
    worth_ns: list[list[float]]
    exact: bool
    gain_ns: float
    solve_seconds: float


def read_profile(path: Path) -> dict[str, Any]:
    """A profile with objects. Raises Refusal, also for numbers that cannot be of a run."""
    again = "make it again with lbhm profile"
    profile = read_kept(path, "profile", _SCHEMA, again)
    if profile["objects"] is None:
        raise Refusal(f"{path}: it has no objects: {'; '.join(profile['why'])}")
    if wrong := _contradiction(profile["objects"]):
        raise Refusal(f"{path}: the profile is malformed: {wrong}; {again}")
    return profile


def shown_sites(profile: dict[str, Any]) -> Callable[[str], str]:
    """A function from the name of a site to how it is written for people."""
    places = [site["name"] for site in profile["objects"]["sites"] if site["kind"] == "calls"]
    names = place_names(places, code_files_of(profile["command"]))
    return lambda name: names.get(name, name)


def _contradiction(section: dict[str, Any]) -> str:
    """What a schema cannot tell: the first number that others in the section rule out; empty if there is none."""
    phases = len(section["phases"])
    for number, item in enumerate(section["objects"]):
        name = f"objects[{number}]"
        first, last = item["first_phase"], item["last_phase"]
        if not first <= last < phases:
            return f"{name} is there from phase {first} to {last}, of {phases}"
        if item["dies_ns"] < item["born_ns"]:
            return f"{name} dies before it is born"
        used = set()
        for use in uses_of(item):
            if not first <= use.phase <= last or use.phase in used:
                return f"{name} is used in phase {use.phase}, in which it is not, or twice"
            if not use.prefetched <= use.hits <= use.touches or use.touches == 0:
                return f"{name} has {use.hits} hits, {use.prefetched} prefetched, of {use.touches} touches"
            if use.first_ns is not None and (use.last_ns < use.first_ns or not 0 < use.most <= use.touches):
                return f"{name} is used from {use.first_ns} to {use.last_ns} ns, {use.most} times by one lane"
            if not use.lanes_add_up:
                return f"{name} has other uses by lane than by all lanes in phase {use.phase}"
            used.add(use.phase)
    for use in rows(section["elsewhere"]):
        if use.phase >= phases or not use.lanes_add_up:
            return f"what is at no object is used in phase {use.phase}, of {phases}, or otherwise by lane"
    return ""


def request_of(task: Task) -> dict[str, Any]:
    """What lbhm-choose is asked (choose_json.h)."""
    uses, figures = task.profile["objects"], task.figures
    count = len(figures.names)
    free = [[0.0] * count for _ in range(count)]
    # Counts are of all threads, which wait side by side: N Lat of Eq. 1 is the sum of their waits. Bandwidths are of
    # all threads together, and all wait for a copy, so this has to be a time of the program, too.
    waiting = task.profile["threads"]
    request = {
        "method": CHOOSERS.get(task.method, task.method),
        "horizon": task.horizon,
        "page_bytes": uses["page_bytes"],
        "line_bytes": uses["line_bytes"],
        "phases": len(uses["phases"]),
        "tiers": [
            {"capacity_bytes": capacity, "latency_ns": latency / waiting}
            | {"read_gb_per_s": read, "write_gb_per_s": write}
            for capacity, latency, read, write in zip(
                task.capacities, figures.latencies_ns, figures.read_gb_per_s, figures.write_gb_per_s, strict=True
            )
        ],
        "page_move_ns": free if task.moves_are_free else figures.page_move_ns,
        **({"unimem": _factors_of(task)} if task.worth == "unimem" else {}),
        "units": [
            {key: item[key] for key in ("bytes", "born_ns", "dies_ns", "first_phase", "last_phase")}
            | {"uses": _uses(task, item)}
            | ({"tier": min(item["tier"], count - 1)} if "tier" in item else {})
            | {"stays": int(item.get("stays", False)), "together": mark}
            for item, mark in zip(uses["objects"], _marks(uses["objects"], task.unit), strict=True)
        ],
    }
    if task.method == BALANCED:
        _add_tasks(task, request)
    return request


def _add_tasks(task: Task, request: dict[str, Any]) -> None:
    """What each lane used, and what a lane alone has of each memory."""
    uses, figures = task.profile["objects"], task.figures
    if task.worth == "unimem":
        raise Refusal(f"--worth unimem: is of all threads together, and --method {BALANCED} is of each task")
    request["tasks"], of_objects = task_rows(uses, lambda use, item: _use(use, uses["period"], task.worth, item))
    for unit, own in zip(request["units"], of_objects, strict=True):
        unit["tasks"] = own
    alone = zip(figures.latencies_ns, figures.lane_read_gb_per_s, figures.lane_write_gb_per_s, strict=True)
    for tier, (latency, read, write) in zip(request["tiers"], alone, strict=True):
        tier.update(lane_latency_ns=latency, lane_read_gb_per_s=read, lane_write_gb_per_s=write)


def _marks(items: list[dict[str, Any]], unit: str) -> list[int]:
    """Objects of one number, 0 excepted, are placed as one: those of a group (trait lbhm_group), and with `unit` site
    those of a site."""
    numbers: dict[Any, int] = {}
    marks = []
    for item in items:
        key = ("group", item["group"]) if "group" in item else ("site", item["site"]) if unit == "site" else None
        marks.append(0 if key is None or "tier" in item else numbers.setdefault(key, len(numbers) + 1))
    return marks


def _uses(task: Task, item: dict[str, Any]) -> list[list[float]]:
    section = task.profile["objects"]
    if task.worth != "unimem":
        return [_use(use, section["period"], task.worth, item) for use in uses_of(item)]
    begins = [phase["begin_ns"] for phase in section["phases"]] + [section.get("end_ns", item["dies_ns"])]
    said = SENSITIVE_NS.get(item.get("sensitivity", ""))
    return [
        [
            use.phase,
            *(use.from_memory(way) * section["period"] for way in ("loads", "stores")),
            use.during_ns(max(0.0, begins[use.phase + 1] - begins[use.phase])) if said is None else said,
        ]
        for use in uses_of(item)
    ]


def _factors_of(task: Task) -> dict[str, float]:
    """Raises Refusal: they are not known, or of other samples than the profile's."""
    factors, source = task.figures.unimem, task.profile["objects"].get("source", "touches")
    again = f"measure them: lbhm machine measure --machine {task.machine}"
    if factors is None:
        raise Refusal(f"--worth unimem: nothing is known of CF_bw and CF_lat of machine {task.machine}; {again}")
    if factors["source"] != source:
        raise Refusal(
            f"--worth unimem: the factors of machine {task.machine} are of samples of {factors['source']}, and the "
            f"profile's are of {source}; {again}, and profile there"
        )
    return {name: factors[name] for name in FACTORS}


def _use(use: Use, period: float, worth: str, item: dict[str, Any]) -> list[float]:
    """[phase, loads, stores, R] of Eq. 1; a sample stands for `period` touches.

    traffic: lines that came from the memory, and that went back there: of those that came at most as many as stores
    touched. Nobody waits for lines that a prefetcher brought or that go back; they are R.
    accesses: all touched lines, as in the paper. What caches served counts as if it had come by the bandwidth.
    misses: loads that came from the memory, each of which waits (SICM counts loads that miss the last cache).
    What the program says of the object comes before."""
    touches = max(use.touches, 1)
    came = touches - (use.hits - use.prefetched)
    if worth == "misses":
        return [use.phase, use.loads * period * came / touches, 0, 0]
    if worth == "accesses":
        came, back, ratio = use.loads, use.stores, use.hits / touches
    else:
        back = min(use.stores, came)
        ratio = 1 - (touches - use.hits) / max(came + back, 1)
    return [use.phase, came * period, back * period, RATIOS.get(item.get("sensitivity", ""), ratio)]


def solve(task: Task) -> Solution:
    """Raises Refusal when the program is not there, or does not take what it is asked."""
    program = find_build().need_program(PROGRAM)
    request = request_of(task)
    begin = time.monotonic()
    done = subprocess.run([program], input=json.dumps(request), capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        words = done.stderr.strip() or f"it ended with status {done.returncode}"
        raise Refusal(f"{words.removeprefix(f'{PROGRAM}: ')}; {AGAIN}")
    answer = parse_json(done.stdout)
    answer["gain_ns"] = _gain(task, answer)
    return Solution(**answer, solve_seconds=seconds)


def _gain(task: Task, answer: dict[str, Any]) -> float:
    """Of objects that stay their worth. Of those that move the worth of a tier is taken as evenly spread over phases
    here: the choosers know it by phase, people want one number."""
    moved: dict[int, list[tuple[int, int]]] = {}
    cost = 0.0
    page = task.profile["objects"]["page_bytes"]
    items = task.profile["objects"]["objects"]
    for phase, item, source, target in answer["moves"]:
        moved.setdefault(item, []).append((phase, target))
        cost += -(-items[item]["bytes"] // page) * task.figures.page_move_ns[source][target]
    gain = 0.0
    for number, (tier, worth) in enumerate(zip(answer["tiers"], answer["worth_ns"], strict=True)):
        touches = {use.phase: use.touches for use in uses_of(items[number])}
        total = sum(touches.values())
        steps = moved.get(number, [])
        for phase, count in touches.items():
            here = next((target for begin, target in reversed(steps) if begin <= phase), tier)
            gain += worth[here] * count / total
    return gain - (0.0 if task.moves_are_free else cost)


def filled(task: Task, solution: Solution) -> list[list[int]]:
    """Births of parts: what whole objects leave of fast memory goes to the begins of those that gain the most for their
    bytes, for policies that place pages. [object, 0, pages, tier]."""
    items, page = task.profile["objects"]["objects"], task.profile["objects"]["page_bytes"]
    lives = [(item["born_ns"], item["dies_ns"]) for item in items]
    sizes = [-(-item["bytes"] // page) for item in items]
    held = PagesOverTime(born for born, _ in lives)
    for number, tier in enumerate(solution.tiers):
        if tier == FAST:
            held.add(*lives[number], sizes[number])
    worth = [of_tiers[FAST] for of_tiers in solution.worth_ns]
    rest = [number for number, tier in enumerate(solution.tiers) if tier != FAST and worth[number] > 0]
    births = []
    for number in sorted(rest, key=lambda number: -worth[number] / items[number]["bytes"]):
        pages = min(task.capacities[FAST] // page - held.most(*lives[number]), sizes[number])
        if pages > 0:
            births.append([number, 0, pages, FAST])
            held.add(*lives[number], pages)
    return births


def placement_json(task: Task, solution: Solution) -> dict[str, Any]:
    """schema lbhm.placement/2, of whole objects."""
    uses = task.profile["objects"]
    slowest = len(task.capacities) - 1
    portable = {site["site"]: site["portable"] for site in uses["sites"] if site["portable"]}
    pages = [-(-item["bytes"] // uses["page_bytes"]) for item in uses["objects"]]
    moves: dict[int, list[list[int]]] = {}
    for phase, item, _, target in solution.moves:
        moves.setdefault(phase, []).append([item, 0, pages[item], target])
    return {
        "schema": "lbhm.placement/2",
        "lbhm_version": __version__,
        "policy": METHODS[task.method],
        "machine": task.machine,
        "tiers": task.figures.names,
        "capacity_bytes": task.capacities[:-1],
        "horizon": task.horizon,
        "command": task.profile["command"],
        "threads": task.profile["threads"],
        "heap": uses["heap"],
        "modules": uses["modules"],
        "page_bytes": uses["page_bytes"],
        "unmanaged_tier": slowest,
        "whole": True,
        "objects": [
            {"site": item["site"], "nth": item["nth"], "pages": count}
            | ({"portable": portable[item["site"]]} if item["site"] in portable else {})
            for item, count in zip(uses["objects"], pages, strict=True)
        ],
        "births": [[number, 0, pages[number], tier] for number, tier in enumerate(solution.tiers) if tier != slowest],
        "moves": [
            {"call": phase - 1, "phase": uses["phases"][phase]["name"], "runs": runs}
            for phase, runs in sorted(moves.items())
        ],
    }
