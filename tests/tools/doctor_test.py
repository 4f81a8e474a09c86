"""Does lbhm doctor tell what a machine has, and the exact remedy for what it lacks? On made-up /proc and /sys."""

from __future__ import annotations

from errno import EACCES, ENOSYS, EPERM
from pathlib import Path

import pytest

from lbhm.doctor import examine_memory, examine_process, examine_sampling
from lbhm.doctor.doctor import State
from lbhm.doctor.examine import examine
from lbhm.system.system import System, numbers_of

NODES = "sys/devices/system/node"
DEVICES = "sys/bus/event_source/devices"
TWO_TIERS = {
    f"{NODES}/node0/meminfo": "Node 0 MemTotal:       1048576 kB\nNode 0 MemFree: 5 kB\n",
    f"{NODES}/node0/cpulist": "0-3\n",
    f"{NODES}/node0/access0/initiators/read_latency": "90\n",
    f"{NODES}/node0/access0/initiators/read_bandwidth": "100000\n",
    f"{NODES}/node2/meminfo": "Node 2 MemTotal:       4194304 kB\n",
    f"{NODES}/node2/cpulist": "\n",
    "sys/devices/virtual/memory_tiering/memory_tier4/nodelist": "0\n",
    "sys/devices/virtual/memory_tiering/memory_tier22/nodelist": "2\n",
    "proc/self/status": "Name:\tx\nMems_allowed_list:\t0,2\n",
}
LIMITS = """Limit                     Soft Limit           Hard Limit           Units
Max address space         {space:<20} unlimited            bytes
Max open files            {files:<20} 1048576              files
Max processes             {processes:<20} 95741                processes
"""


@pytest.fixture
def made(tmp_path):
    """A machine with these files, on which these calls fail."""

    def make(files: dict[str, str] | None = None, **errors: int) -> System:
        for name, text in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return System(tmp_path, lambda name: errors.get(name, 0))

    return make


def test_tiers_are_told_by_node(made):
    finding = examine_memory.tiers(made(TWO_TIERS))
    assert finding.state is State.works
    assert finding.found == (
        "node0 1.00 GiB, 90 ns, 104.9 GB/s, tier 4 of the kernel; node2 4.00 GiB, no processors, tier 22 of the kernel"
    )
    assert finding.remedy == ""


def test_nodes_of_unknown_speed_are_to_be_measured(made):
    finding = examine_memory.tiers(made({name: text for name, text in TWO_TIERS.items() if "meminfo" in name}))
    assert finding.state is State.works
    assert "lbhm machine measure" in finding.remedy


@pytest.mark.parametrize(
    ("content", "state", "found"),
    [
        (None, State.absent, "is not there"),
        ("{}", State.absent, "holds no measurement"),
        ('{"tiers": [1, 2], "date": "2026-01-02", "kernel": "6.1.0"}', State.works, "2 speed classes, on 2026-01-02"),
        ('{"tiers": [1, 2], "date": "2026-01-02", "kernel": "5.10"}', State.absent, "this is another kernel"),
    ],
)
def test_tiers_are_to_be_measured(made, monkeypatch, tmp_path, content, state, found):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if content:
        (tmp_path / "lbhm").mkdir()
        (tmp_path / "lbhm/host.json").write_text(content)
    (finding,) = examine_memory.measured(made(TWO_TIERS | {"proc/sys/kernel/osrelease": "6.1.0\n"}))
    assert finding.state is state
    assert found in finding.found
    assert (finding.remedy == "lbhm machine measure") == (state is State.absent)


def test_one_kind_of_memory_needs_no_measurement(made):
    assert examine_memory.measured(made()) == []


def test_a_node_without_memory_is_no_tier(made):
    files = {f"{NODES}/node0/meminfo": "Node 0 MemTotal: 1024 kB", f"{NODES}/node1/meminfo": "Node 1 MemTotal: 0 kB"}
    assert examine_memory.tiers(made(files)).found == "one kind of memory (node0 1.00 MiB, no processors)"


def test_dax_memory_that_nobody_uses(made, tmp_path):
    system = made(TWO_TIERS)
    devices = tmp_path / "sys/bus/dax/devices"
    for name, driver in (("dax0.0", "kmem"), ("dax1.0", "device_dax"), ("dax2.0", None)):
        (devices / name).mkdir(parents=True)
        if driver:
            (tmp_path / driver).mkdir()
            (devices / name / "driver").symlink_to(tmp_path / driver)
    (finding,) = examine_memory.dax_devices(system)
    assert finding.remedy == "as root: daxctl reconfigure-device --mode=system-ram dax1.0 dax2.0"


def test_a_cpuset_hides_a_node(made):
    finding = examine_memory.allowed(made(TWO_TIERS | {"proc/self/status": "Mems_allowed_list:\t0\n"}))
    assert (finding.state, finding.found) == (State.absent, "this process may not use node2")
    assert "cpuset.mems" in finding.remedy
    assert examine_memory.allowed(made(TWO_TIERS)).state is State.works


@pytest.mark.parametrize(
    ("group", "file"),
    [
        ("0::/user/job\n", "/sys/fs/cgroup/user/memory.max"),
        ("3:cpu,memory:/user/job\n1:pids:/\n", "/sys/fs/cgroup/memory/user/memory.limit_in_bytes"),
    ],
)
def test_the_least_limit_of_all_control_groups(made, group, file):
    own = file.replace("/user/", "/user/job/")
    limits = {file[1:]: f"{512 << 20}\n", own[1:]: "max\n", "proc/self/cgroup": group}
    finding = examine_memory.group_limit(made(TWO_TIERS | limits))
    assert finding.found == "the control group has 512 MiB"
    assert f"write to {file} " in finding.remedy
    assert examine_memory.group_limit(made({file[1:]: f"{1 << 60}\n"})).state is State.works


@pytest.mark.parametrize(("error", "word"), [(EPERM, "--cap-add SYS_NICE"), (ENOSYS, "CONFIG_NUMA")])
def test_memory_calls_that_are_refused(made, error, word):
    finding = examine_memory.memory_calls(made(move_pages=error))
    assert finding.state is State.absent
    assert finding.found.startswith("move_pages fails with E")
    assert word in finding.remedy


@pytest.mark.parametrize(
    ("mode", "nodes", "state", "word"),
    [
        ("0", TWO_TIERS, State.works, "off"),
        ("1", TWO_TIERS, State.absent, "processors that touch them"),
        ("2", TWO_TIERS, State.absent, "promotes"),
        ("1", {}, State.works, "one node"),
    ],
)
def test_balancing_works_against_us(made, mode, nodes, state, word):
    finding = examine_memory.balancing(made(nodes | {"proc/sys/kernel/numa_balancing": f"{mode}\n"}))
    assert finding.state is state
    assert word in finding.found
    assert ("sysctl kernel.numa_balancing=0" in finding.remedy) == (state is State.absent)


def test_demotion_works_against_us(made):
    file = "sys/kernel/mm/numa/demotion_enabled"
    assert examine_memory.demotion(made({file: "true\n"})).remedy.endswith(f"echo false > /{file}, as root")
    assert examine_memory.demotion(made({file: "false\n"})).state is State.works


@pytest.mark.parametrize(
    ("text", "state", "remedy"),
    [
        ("always madvise [never]", State.absent, "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, as root"),
        ("always [madvise] never", State.works, ""),
        (None, State.absent, "CONFIG_TRANSPARENT_HUGEPAGE"),
    ],
)
def test_huge_pages(made, text, state, remedy):
    finding = examine_memory.huge_pages(made({"sys/kernel/mm/transparent_hugepage/enabled": text} if text else {}))
    assert finding.state is state
    assert remedy in finding.remedy


@pytest.mark.parametrize(
    ("level", "error", "state", "words"),
    [
        ("4", EACCES, State.absent, "sysctl kernel.perf_event_paranoid=2"),
        ("4", 0, State.works, ""),  # root
        ("2", EPERM, State.absent, "docker run --cap-add PERFMON"),
        ("2", 0, State.works, ""),
        (None, ENOSYS, State.absent, "CONFIG_PERF_EVENTS"),
    ],
)
def test_perf_permission(made, level, error, state, words):
    files = {"proc/sys/kernel/perf_event_paranoid": f"{level}\n"} if level else {}
    finding = examine_sampling.perf_permission(made(files, perf_event_open=error))
    assert finding.state is state
    assert words in finding.remedy


@pytest.mark.parametrize(
    ("device", "level", "state", "words"),
    [
        ("cpu/events/mem-loads", 2, State.works, "PEBS"),
        ("cpu_core/events/mem-loads", 2, State.works, "PEBS"),
        ("ibs_op/type", 1, State.works, "IBS"),
        ("ibs_op/type", 2, State.absent, "sysctl kernel.perf_event_paranoid=1"),
        ("ibs_op/format/swfilt", 2, State.works, "IBS"),
        ("arm_spe_0/type", 2, State.works, "SPE"),
        ("software/type", 2, State.absent, "LBHM_SAMPLER=hints"),
    ],
)
def test_hardware_that_samples_addresses(made, device, level, state, words):
    files = {f"{DEVICES}/{device}": "1\n", "proc/sys/kernel/perf_event_paranoid": f"{level}\n"}
    finding = examine_sampling.address_sampling(made(files))
    assert finding.state is state
    assert words in finding.found + finding.remedy


def test_counters_are_devices_of_the_core(made):
    assert examine_sampling.hardware_counters(made({f"{DEVICES}/software/type": "1"})).state is State.absent
    assert examine_sampling.hardware_counters(made({f"{DEVICES}/armv8_pmuv3_0/type": "8"})).found == "armv8_pmuv3_0"


@pytest.mark.parametrize(
    ("release", "state"), [("6.1.0-32-cloud-amd64", State.absent), ("6.7.1", State.works), ("", State.absent)]
)
def test_pagemap_scan_is_of_linux_6_7(made, release, state):
    assert examine_sampling.pagemap_scan(made({"proc/sys/kernel/osrelease": release})).state is state


def test_page_idle(made):
    assert "CONFIG_IDLE_PAGE_TRACKING" in examine_sampling.page_idle(made()).remedy
    assert examine_sampling.page_idle(made({"sys/kernel/mm/page_idle/bitmap": ""})).state is State.works


def test_limits_that_are_too_low(made):
    text = LIMITS.format(space="4294967296", files="256", processes="unlimited")
    finding = examine_process.limits(made({"proc/self/limits": text}), threads=16)
    assert finding.found == "too low: address space 4294967296, open files 256"
    assert "ulimit -v unlimited" in finding.remedy
    assert "ulimit -n 384" in finding.remedy
    assert "ulimit -u" not in finding.remedy
    enough = LIMITS.format(space="unlimited", files="1024", processes="4096")
    assert examine_process.limits(made({"proc/self/limits": enough}), threads=16).state is State.works


@pytest.mark.parametrize("module", [False, True])
def test_a_library_and_its_module(monkeypatch, tmp_path, module):
    monkeypatch.setenv("LBHM_BUILD", str(tmp_path))
    (tmp_path / "lib").mkdir()
    if module:
        (tmp_path / "lib/liblbhm-x.so").touch()
    finding = examine_process.library("x", "libc.so.6", "tests", "libx1", "liblbhm-x.so")
    assert finding.state is (State.works if module else State.absent)
    absent = examine_process.library("x", "libnowhere.so.1", "tests", "libx1", "liblbhm-x.so")
    assert absent.remedy == "for tests: apt-get install libx1"


def test_nothing_is_known_and_all_is_told(made):
    findings = examine(made())
    assert {"memory tiers", "perf_event", "limits", "PAPI events"} <= {finding.what for finding in findings}
    assert all(finding.remedy for finding in findings if finding.state is not State.works)


def test_this_kernel_answers(tmp_path):
    system = System()
    assert system.kernel() > (2, 6)
    assert isinstance(system.call("move_pages"), int)
    assert System(tmp_path).kernel() == (0, 0)
    assert System(Path("/")).call("no such call") == ENOSYS


def test_lists_of_numbers():
    assert numbers_of("0-2,5") == [0, 1, 2, 5]
    assert numbers_of("") == []
