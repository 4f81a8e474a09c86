"""lbhm train --machine host, with runs that are made up: what it says beforehand, what it keeps, what it refuses."""

from __future__ import annotations

import json
import math
import stat

import pytest

from lbhm.base.build_tree import BuildTree
from lbhm.base.errors import Refusal
from lbhm.machine import MachineChoice
from lbhm.regions import regions_measure
from lbhm.regions.regions_measure import measure_regions, placements
from lbhm.train import this_host
from lbhm.train.collect import Plan, collect, format_minutes
from lbhm.train.this_host import look_at_host
from lbhm_training.features import Machine
from lbhm_training.series import BadData, NothingToLearn, read, select, series_of

HOST = MachineChoice("host", emulated=False)
MIB = 1 << 20


class Ran:
    def __init__(self, report: dict):
        self.report = report


class MadeUpHost:
    """Runs a program with one region: 1 ms in slow memory, `fast` of it in fast memory, and on top `noise` by turns."""

    def __init__(self, fast: float = 0.4, noise: tuple[float, ...] = (0.0, 0.01, 0.02), tiers: int = 2):
        self.fast, self.noise, self.tiers = fast, noise, tiers
        self.runs: list[tuple[str, dict]] = []
        self.pages_lie_fast = 1.0  # of those asked for
        self.free = 1000 * MIB

    def __call__(self, setup, policy, capacity, show_output, settings=None) -> Ran:
        settings = (settings or {}) | dict(setup.settings)
        share = {"slow-only": 0.0, "fast-only": 1.0}.get(policy) or float(settings.get("LBHM_FAST_SHARE", 0))
        noise = self.noise[sum(one == (policy, share) for one in self.runs) % len(self.noise)]
        self.runs.append((policy, share))
        work = round(1e6 * (1 - share * (1 - self.fast) + noise))
        events = {"instructions": None, "cycles": None, "llc_misses": None}
        reading = {"executions": 1, "time_ns": work, "work_ns": work, "events": events, "accesses": []}
        lies = round(64 * MIB * share * self.pages_lie_fast)
        region = {"id": "0" * 16, "lanes": [{"lane": 0, "inclusive": reading, "self": reading}]}
        tier = {"capacity_bytes": self.free, "name": "DRAM", "latency_ns": 100}
        tier |= {"read_bandwidth_gb_per_s": 10, "write_bandwidth_gb_per_s": 10}
        rows = [{"bytes": 64 * MIB, "tiers_bytes": [[lies], [64 * MIB - lies]]}]
        return Ran(
            {
                "tiers": [tier] * self.tiers,
                "timeline": {"objects": rows} if self.tiers > 1 else None,
                "machine_fingerprint": "0123456789abcdef",
                "makespan_ns": work,
                "footprint_bytes": 70 * MIB,
                "remarks": ["mbind failed (Operation not permitted)"] if self.pages_lie_fast < 1 else [],
                "code_regions": [region],
            }
        )


@pytest.fixture
def host(monkeypatch):
    made_up = MadeUpHost()
    for module in (regions_measure, this_host):
        monkeypatch.setattr(module, "execute", lambda *words, **more: made_up(*words, **more))
    return made_up


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "build/lib").mkdir(parents=True)
    (tmp_path / "build/lib/liblbhm.so").write_text("library")
    program = tmp_path / "host-corpus-cg"
    program.write_text("cg")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    build = BuildTree(tmp_path / "build")
    return Plan(build, HOST, [program], [1], 3, 1, tmp_path / "work", repeat=3, fingerprint="0123456789abcdef")


def setup_of(plan: Plan):
    return plan.setup(plan.programs[0], 1)


def test_every_placement_is_repeated_in_turn_and_the_median_counts(host, plan):
    data = measure_regions(setup_of(plan), placements(1), 1000, repeat=3)
    one_turn = [("slow-only", 0.0), ("scatter", 0.5), ("fast-only", 1.0)]
    assert host.runs == one_turn * 3, "a machine that becomes slower does so for all placements"
    slow, half, fast = data["regions"][0]["runs"]
    assert [run["self"]["work_ns"] for run in (slow, half, fast)] == [1.01e6, 0.71e6, 0.41e6]
    assert slow["repeats_ns"] == [1.0e6, 1.01e6, 1.02e6]
    assert [run["self"]["fast_share"] for run in (slow, half, fast)] == [0, 0.5, 1], "the share of pages stands for r"


def test_it_says_how_long_it_takes_and_goes_on_where_it_was(host, plan, capsys):
    collect(plan, 1)
    assert "18 runs will take about 1 s" in capsys.readouterr().err
    again = collect(plan, 1)
    assert (again.kept, again.failed) == (1, {})
    assert "will take" not in capsys.readouterr().err
    other = Plan(*(getattr(plan, name) for name in vars(plan) if name != "fingerprint"), fingerprint="f" * 16)
    assert collect(other, 1).kept == 0, "it is another machine now"


@pytest.mark.parametrize(("seconds", "text"), [(0.2, "1 s"), (80, "80 s"), (240, "4 min"), (9000, "2 h 30 min")])
def test_minutes(seconds, text):
    assert format_minutes(seconds) == text


def test_one_memory_is_refused_with_a_remedy(host, plan):
    host.tiers = 1
    with pytest.raises(Refusal, match=r"this machine has one memory.*lbhm machine measure --emulate --slow 2"):
        look_at_host(setup_of(plan))


def test_too_little_free_memory_is_refused_beforehand(host, plan):
    host.free = 50 * MIB
    with pytest.raises(Refusal, match=r"50.0 MiB of memory DRAM are free, and .*host-corpus-cg takes 70.0 MiB"):
        look_at_host(setup_of(plan))


def test_pages_that_do_not_lie_where_they_were_put_are_refused_with_what_the_library_said(host, plan):
    host.pages_lie_fast = 0
    with pytest.raises(Refusal, match=r"0% of its pages were in fast memory, and 50% was asked for.*not permitted"):
        look_at_host(setup_of(plan))
    found = collect(plan, 1)
    assert list(found.failed) == ["cg-1"], "and such a run is no measurement"


def measured(host: MadeUpHost, plan: Plan) -> dict:
    found = collect(plan, 1)
    assert not found.failed
    return found.files[0]


def test_a_clear_series_is_one_to_learn_from(host, plan, machine):
    host.fast = 0.4
    with pytest.raises(BadData, match="fewer than 12 regions, too few to learn from"):
        read([measured(host, plan)], machine)


def test_memories_that_are_equally_fast_leave_nothing_to_learn(host, plan, machine):
    host.fast = 0.95
    with pytest.raises(NothingToLearn, match="in 1 of 1 series the times in slow and in fast memory differ"):
        read([measured(host, plan)], machine)


def test_what_chance_lets_look_clear_is_nothing_to_learn_from(content, machine, tmp_path):
    """15 of 200 regions of two equal memories."""
    made = content()
    region = made["train"]["regions"][0]

    def one(number: int, repeats: list[float]) -> dict:
        return region | {"id": f"{number:016x}", "runs": [run | {"repeats_ns": repeats} for run in region["runs"]]}

    made["seed"]["regions"] = [made["seed"]["regions"][0] | {"id": f"{number:016x}"} for number in range(200)]
    made["train"]["regions"] = [one(number, [0, 1e4 if number < 15 else 9e5]) for number in range(200)]
    (tmp_path / "cg-1.json").write_text(json.dumps(made))
    with pytest.raises(NothingToLearn, match="in 185 of 200 series"):
        read([tmp_path / "cg-1.json"], machine)


def test_what_is_not_counted_is_not_known(host, plan, machine):
    (series,) = series_of(json.loads(measured(host, plan).read_text()), machine)
    assert math.isnan(series.looks[0].fast_time)
    assert math.isnan(series.looks[0].rate)
    assert series.f == pytest.approx([1] * 3, abs=0.05)
    assert select([series]).series == [series]


def test_a_host_whose_firmware_leaves_figures_out_derives_no_t_fast():
    tier = {"latency_ns": 0, "read_bandwidth_gb_per_s": 10, "write_bandwidth_gb_per_s": 10}
    assert not Machine.of({"tiers": [tier, tier]}).known
    assert Machine.of({"tiers": [tier | {"latency_ns": 90}] * 2}).known
