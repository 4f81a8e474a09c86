"""lbhm report --otf2: does OTF2's own reader find in it what the Perfetto trace has?"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lbhm.base.errors import Refusal
from lbhm.report import otf2_archive
from lbhm.report.perfetto import trace_of

sys.path.insert(0, str(Path(__file__).parent))

from made_reports import made_report


def printed(folder: Path, *options: str) -> str:
    return subprocess.run(
        ["otf2-print", *options, str(folder / "traces.otf2")], capture_output=True, text=True, check=True
    ).stdout


def test_tasks_are_entered_and_left_and_counters_are_metrics(tmp_path):
    trace = trace_of(made_report())
    otf2_archive.write_archive(tmp_path / "archive", trace)
    events = printed(tmp_path / "archive")
    kinds = Counter(line.split()[0] for line in events.splitlines() if line.startswith(("ENTER", "LEAVE", "METRIC")))
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    counters = [event for event in trace["traceEvents"] if event["ph"] == "C"]
    assert kinds == {"ENTER": len(slices), "LEAVE": len(slices), "METRIC": len(counters)}
    waits = re.findall(r"^(ENTER|LEAVE) +(\d+) +(\d+) .*\"waits\"", events, re.MULTILINE)
    first = next(event for event in slices if event["name"] == "waits")
    assert round(first["ts"] * 1000) in {int(time) for kind, _, time in waits if kind == "ENTER"}
    definitions = printed(tmp_path / "archive", "-G")
    assert all(f'"lane {lane}"' in definitions for lane in range(4))


def test_inner_slices_end_first(tmp_path):
    """Regions within regions lie on one track."""
    at = {"ph": "X", "pid": 1, "tid": 0}
    names = [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "program"}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 0, "args": {"name": "regions"}},
    ]
    slices = [at | {"name": "inner", "ts": 2, "dur": 3}, at | {"name": "outer", "ts": 2, "dur": 3.5}]
    nothing = [at | {"name": "empty", "ts": 1, "dur": 0}]
    otf2_archive.write_archive(tmp_path / "archive", {"traceEvents": [*names, *slices, *nothing]})
    found = re.findall(r'^(ENTER|LEAVE) .*"(\w+)"', printed(tmp_path / "archive"), re.MULTILINE)
    assert found == [("ENTER", "outer"), ("ENTER", "inner"), ("LEAVE", "inner"), ("LEAVE", "outer")]


def test_a_folder_that_is_there_is_left_alone(tmp_path):
    with pytest.raises(Refusal, match="is there already; name a new folder"):
        otf2_archive.write_archive(tmp_path, {"traceEvents": []})


def test_without_the_library_the_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(otf2_archive, "_SYSTEM", "/nowhere")
    monkeypatch.delitem(sys.modules, "otf2", raising=False)
    with pytest.raises(Refusal, match="install the package python3-otf2"):
        otf2_archive.write_archive(tmp_path / "archive", {"traceEvents": []})


@pytest.mark.parametrize("size", [256, 4096])
def test_a_full_disk_is_one_sentence_and_nothing_stays(tmp_path, size):
    """A limit of files' sizes is as a disk without room: whatever OTF2 makes of it itself stays unsaid."""
    script = (
        "import resource, signal, sys; from pathlib import Path\n"
        "sys.path[:0] = sys.argv[2:]\n"
        "from lbhm.base.errors import Refusal, refuse; from lbhm.report import otf2_archive\n"
        "from made_reports import made_report; from lbhm.report.perfetto import trace_of\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
        "try: otf2_archive.write_archive(Path(sys.argv[1]), trace_of(made_report()))\n"
        "except Refusal as refusal: sys.exit(refuse(refusal))\n"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "archive"), *sys.path]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 74, done.stderr
    (said,) = done.stderr.splitlines()
    assert said.startswith("lbhm: --otf2: ") and "make room" in said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_has_no_place_is_refused(tmp_path):
    with pytest.raises(Refusal, match="mkdir -p"):
        otf2_archive.write_archive(tmp_path / "nowhere" / "archive", {"traceEvents": []})
