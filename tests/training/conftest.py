"""Made-up training data: regions whose f is known, and their files."""

from __future__ import annotations

import numpy as np
import pytest

from lbhm_training.dataset import dataset
from lbhm_training.features import NAMES, Look, Machine, Memory, with_fast_time
from lbhm_training.series import Series, select

MACHINE = Machine(Memory(80, 100, 100, 80), Memory(160, 300, 25, 20), 2.0)
SHARES = [round(0.05 + 0.1 * number, 2) for number in range(10)]


def reading(work: float, share: float, accesses: int = 10_000, **events: float) -> dict:
    fast = round(share * accesses)
    return {
        "executions": 1,
        "time_ns": work,
        "work_ns": work,
        "events": {"instructions": 2000, "cycles": 4000, "llc_misses": 30, "prefetches": None} | events,
        "accesses": [fast, accesses - fast],
        "fast_share": fast / accesses,
    }


def lanes_of(slow: float, lanes: int) -> list[dict]:
    return [{"self": reading(slow / lanes, 0, 10_000 // lanes)}] * lanes


def make_content(f=lambda r: 1 - r / 2, slow: float = 1e6, fast: float = 4e5, lanes: int = 1, threads: int = 1) -> dict:
    """One program with one region of a known f (lbhm.training-data/1)."""
    times = [slow, *(slow * (1 - r) * f(r) + fast * r for r in SHARES), fast]
    runs = [
        {
            "placement": number,
            "self": reading(time, share),
            "inclusive": reading(time, share),
            "lanes": lanes_of(slow, lanes),
        }
        for number, (time, share) in enumerate(zip(times, [0, *SHARES, 1], strict=True))
    ]
    seed = {"placement": 0, "self": reading(slow, 0), "inclusive": reading(slow, 0), "lanes": lanes_of(slow, lanes)}
    placements = [{"policy": "scatter", "page_share": share} for share in [0, *SHARES, 1]]
    return {
        "schema": "lbhm.training-data/1",
        "program": "made-up",
        "seed": {"threads": threads, "regions": [{"id": "0" * 16, "runs": [seed]}]},
        "train": {
            "machine_fingerprint": "0123456789abcdef",
            "threads": threads,
            "placements": placements,
            "regions": [{"id": "0" * 16, "runs": runs}],
        },
    }


def make_series(count: int = 40, seed: int = 3) -> list[Series]:
    """Regions of which f depends on IPC and r alone, and what T_fast is derived by on MLP; the rest is noise."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        features = random.uniform(0, 1, len(NAMES))
        ipc, fast = features[NAMES.index("IPC")], random.uniform(0.2, 0.8)
        derived = fast * (0.5 + features[NAMES.index("MLP")])
        look = Look(with_fast_time(features, derived, 0.01), derived, 0.01)
        shares = np.array(SHARES)
        f = 1 - 0.5 * ipc * shares
        times = 1e6 * ((1 - shares) * f + fast * shares)
        program = f"program{number // 4}"
        found.append(
            Series(
                f"{number // 2:016x}", program, 1 + number % 2, 2, (look, look), 1e6, 1e6 * fast, SHARES, list(times)
            )
        )
    return found


@pytest.fixture
def data():
    return dataset(select(make_series(), "0123456789abcdef"))


@pytest.fixture
def machine():
    return MACHINE


@pytest.fixture
def content():
    return make_content


@pytest.fixture
def made_up():
    return make_series
