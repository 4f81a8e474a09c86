"""Does lbhm-choose find what scipy's solver of integer programs finds, and soon?"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

PROGRAM = Path(__file__).parents[2] / "build" / "release" / "bin" / "lbhm-choose"
PAGE = 4096

pytestmark = pytest.mark.skipif(not PROGRAM.is_file(), reason="lbhm-choose is not built")


def request(pages: np.ndarray, worth: np.ndarray, capacity: int, method: str = "initial") -> dict:
    """A read that misses takes 1 ns in slow memory and none in fast memory: worth as many ns as there are reads."""

    def tier(capacity: int, latency: float) -> dict:
        return {"capacity_bytes": capacity, "latency_ns": latency, "read_gb_per_s": 1, "write_gb_per_s": 1}

    unit = {"born_ns": 0, "dies_ns": 1, "first_phase": 0, "last_phase": 0}
    return {
        "method": method,
        "horizon": 1,
        "page_bytes": PAGE,
        "line_bytes": 64,
        "phases": 1,
        "tiers": [tier(capacity * PAGE, 0), tier(1 << 40, 1)],
        "page_move_ns": [[0, 0], [0, 0]],
        "units": [
            unit | {"bytes": int(size) * PAGE, "uses": [[0, float(value), 0, 0]]}
            for size, value in zip(pages, worth, strict=True)
        ],
    }


def ask(problem: dict) -> dict:
    done = subprocess.run([PROGRAM], input=json.dumps(problem), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_equals_milp_on_random_instances():
    random = np.random.default_rng(1)
    for _ in range(200):
        count = int(random.integers(1, 301))
        pages = random.integers(1, 5000, count)
        worth = np.round(random.lognormal(8, 2, count) * (1 if random.random() < 0.5 else pages / 1000))
        capacity = int(pages.sum() * random.uniform(0.05, 0.9))
        answer = ask(request(pages, worth, capacity))
        best = milp(
            -worth,
            integrality=np.ones(count),
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(pages[None, :], -np.inf, capacity),
            options={"mip_rel_gap": 0},
        )
        fast = np.array(answer["tiers"]) == 0
        assert pages[fast].sum() <= capacity
        assert worth[fast].sum() == pytest.approx(-best.fun, rel=1e-9)
        assert answer["exact"]


def with_tasks(problem: dict, lanes: int) -> dict:
    """Each unit is used by one lane or two."""
    random = np.random.default_rng(4)
    for tier in problem["tiers"]:
        tier.update({f"lane_{key}": tier[key] for key in ("latency_ns", "read_gb_per_s", "write_gb_per_s")})
    for unit in problem["units"]:
        half = unit["uses"][0][1] / 2
        unit["tasks"] = [[int(random.integers(lanes)), half, 0, 0] for _ in range(2)]
    return problem | {"tasks": {"phases_ns": [1e7], "of": [0] * lanes, "elsewhere": []}}


@pytest.mark.parametrize("method", ["first-come", "initial", "lifetime", "phases", "balanced", "hotset", "thermos"])
def test_a_thousand_objects_are_placed(method):
    random = np.random.default_rng(2)
    pages = random.integers(1, 100_000, 1000)
    problem = request(pages, random.lognormal(8, 2, 1000), int(pages.sum() // 4), method)
    for unit in problem["units"]:
        unit["born_ns"], length = random.integers(0, 1000, 2).tolist()
        unit["dies_ns"] = unit["born_ns"] + length + 1
    assert len(ask(with_tasks(problem, 16))["tiers"]) == 1000


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"method": "best"}, "method is none of first-come, initial, lifetime, phases, balanced, hotset, thermos"),
        ({"tiers": []}, "tiers"),
        ({"phases": 0}, "phases"),
        ({"horizon": -1}, "horizon"),
        ({"method": "balanced", "tasks": {}}, "tasks.phases_ns is missing"),
        ({"tasks": {"phases_ns": [1], "of": [1], "elsewhere": []}, "method": "balanced"}, "tasks.of[0]"),
    ],
)
def test_what_it_is_asked_is_checked(change, complaint):
    problem = with_tasks(request(np.array([1]), np.array([1]), 1), 1) | change
    done = subprocess.run([PROGRAM], input=json.dumps(problem), capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("lbhm-choose: the problem: ")
    assert complaint in done.stderr
