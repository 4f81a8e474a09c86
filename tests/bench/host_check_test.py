"""The host check's arithmetic and its table; the measurements themselves are bench/run's."""

from pathlib import Path

import pytest
from harness.build import Build
from harness.errors import BenchError
from harness.fidelity.emulation import Emulated, memory_accesses, virtual_seconds
from harness.fidelity.host import Case, HostMachine, chosen, summary, table

CASES = [
    Case("near", 1, native=[1.1, 0.9, 1.0], emulated=1.1, footprint=2**20),
    Case("far", 1, native=[2.0, 2.0, 2.0], emulated=3.0, footprint=2**21),
    Case("below", 2, native=[4.0, 4.0, 4.0], emulated=3.0, footprint=2**21),
]


def report(makespan_ns, virtual=True, accesses=()):
    tasks = [{"accesses": count} for count in accesses]
    return {"virtual_time": virtual, "makespan_ns": makespan_ns, "regions": [{"tasks": tasks}]}


def test_native_time_is_the_median():
    case = Case("uneven", 1, native=[9.0, 1.0, 1.5], emulated=1.5, footprint=2**20)
    assert case.reference == 1.5
    assert case.spread == pytest.approx(8 / 1.5)
    assert case.error == 0


def test_a_kernel_that_does_not_exist_is_named():
    assert chosen(["fft", "lu"], []) == ["fft", "lu"]
    assert chosen(["fft", "lu"], ["lu"]) == ["lu"]
    with pytest.raises(BenchError, match="no kernel sort"):
        chosen(["fft", "lu"], ["sort"])


def test_keys():
    fields = summary(CASES, 3, Path("host.json"))
    assert fields["host_kernels"] == 3
    assert fields["host_mape"] == pytest.approx((0.1 + 0.5 + 0.25) / 3, abs=1e-4)
    assert fields["host_spearman"] == pytest.approx(0.866, abs=1e-3)  # ranks 1, 2.5, 2.5 against 1, 2, 3
    assert len(fields["host"]) == 3


def test_table_has_the_worst_first_with_its_sign():
    rows = table(CASES).rows
    assert [(row[0], row[-1]) for row in rows] == [("far", "+50%"), ("below", "-25%"), ("near", "+10%")]


def test_a_clock_that_is_not_virtual_is_noticed():
    assert virtual_seconds(Emulated({"seconds": 0.5}, report(1e9))) == 0.5
    for run in (Emulated({"seconds": 1.5}, report(1e9)), Emulated({"seconds": 0.5}, report(1e9, virtual=False))):
        with pytest.raises(BenchError, match="omp_get_wtime"):
            virtual_seconds(run)


def test_memory_accesses_are_those_of_all_tasks():
    assert memory_accesses(Emulated({}, report(1, accesses=[3, 4]))) == 7


def test_a_host_file_that_is_missing_is_named(tmp_path):
    (tmp_path / "build.ninja").write_text("")
    (tmp_path / "CMakeCache.txt").write_text("")
    with pytest.raises(BenchError, match=r"--host: .*mine\.json.*machine measure --emulate"):
        HostMachine(Build(tmp_path), tmp_path / "mine.json")
