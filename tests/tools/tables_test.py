"""Do the tables and the last sentence say what a recorded result says?"""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from lbhm.compare.compare_table import compare_lines, compare_table
from lbhm.conclude import conclusion
from lbhm.files.report import checksum_of, read_report
from lbhm.program.symbols import distinct_names
from lbhm.regions.region_table import place_of
from lbhm.run.run_table import managed_lines, region_table, summary_lines

RECORDED = Path(__file__).parent / "data/report.json"


@pytest.fixture
def report():
    return read_report(RECORDED, "spgemm")


def text_of(table, width=100) -> str:
    console = Console(file=io.StringIO(), width=width)
    console.print(table)
    return console.file.getvalue()


def run_of(report, policy, time, acv):
    return report | {"policy": policy, "makespan_ns": time, "acv": acv, "checksum": "0123456789abcdef"}


@pytest.fixture
def comparison(report):
    runs = [
        run_of(report, "slow-only", 9e8, 0.3) | {"remarks": []},
        run_of(report, "first-touch", 6e8, 0.4) | {"remarks": []},
        run_of(report, "lbhm", 5e8, 0.1),
        run_of(report, "fast-only", 3e8, 0.2) | {"remarks": [], "migrated_bytes": 0},
    ]
    return {
        "machine": "optane",
        "fast_capacity_bytes": 33554432,
        "footprint_bytes": 134217728,
        "threads": 12,
        "times": "virtual",
        "correlation": "analytic",
        "reference": {"policy": "slow-only", "makespan_ns": 9e8},
        "runs": runs,
    }


PREDICTION = {
    "tasks": 36,
    "mean_error": 0.042,
    "accuracy": 0.958,
    "explained_tasks": 36,
    "counts": 0.011,
    "homogeneous": 0.0304,
    "correlation": 0.02,
}


def test_a_run_says_how_far_predictions_were_off_and_why(report):
    line = summary_lines(report | {"prediction": PREDICTION}, threads=2)[-1]
    assert line == (
        "prediction: 4.2 % mean error over 36 task instances: counts 1.1 %, homogeneous times 3.0 %, correlation 2.0 %"
    )


def test_a_run_says_what_half_of_the_tasks_and_most_of_the_time_were_off_by(report):
    spread = {"median_error": 0.031, "time_weighted_error": 0.02}
    line = summary_lines(report | {"prediction": PREDICTION | spread}, threads=2)[-1]
    assert line.startswith("prediction: 4.2 % mean error over 36 task instances, median 3.1 %, by time 2.0 %: counts")


def test_errors_that_nobody_explained_have_no_parts(report):
    unknown = PREDICTION | {"explained_tasks": 0, "counts": None, "homogeneous": None, "correlation": None}
    line = summary_lines(report | {"prediction": unknown}, threads=2)[-1]
    assert line == "prediction: 4.2 % mean error over 36 task instances"


def test_without_predictions_nothing_is_said(report):
    assert not any("prediction" in line for line in summary_lines(report | {"prediction": None}, threads=2))
    assert not any("prediction" in line for line in summary_lines(report, threads=2))


def test_a_comparison_says_whose_predictions_they_are(comparison):
    comparison["runs"][2]["prediction"] = PREDICTION
    assert any(line.startswith("lbhm: prediction: 4.2 %") for line in compare_lines(comparison))


def test_region_table(report):
    first, second = (line.split("  ") for line in text_of(region_table(report)).splitlines() if "spgemm.cpp" in line)
    first, second = ([cell.strip() for cell in line if cell.strip()] for line in (first, second))
    assert first == ["spgemm.cpp:41", "0", "2", "400 ms", "0.333", "4.00 M", "50.0 %", "–"]
    assert second == ["spgemm.cpp:41", "1", "2", "210 ms", "0.000", "3.00 M", "66.7 %", "off by 15 %"]


@pytest.mark.parametrize(
    ("width", "kept"),
    [
        (120, "atmospheric_boun…zontal_velocity"),
        (94, "atmospheri…l_velocity"),
        (78, "atmosphe…elocity"),
    ],
)
def test_a_long_name_is_cut_once(report, width, kept):
    """In its middle, to what there is room for; where that is little, lines are broken."""
    name = "atmospheric_boundary_layer::integrate_horizontal_velocity"
    shown = text_of(region_table(report | {"regions": report["regions"][:1]}, lambda _: name), width)
    lines = [line.split()[0] for line in shown.partition("─ ")[2].splitlines() if line.strip()]
    assert "".join(lines) == kept
    assert (len(lines) > 1) == (width == 78)


def test_only_the_longest_regions_are_shown(report):
    shown = text_of(region_table(report, rows=1))
    assert shown.count("spgemm.cpp") == 1
    assert "400 ms" in shown
    assert "1 longest of 2 region instances" in shown


def test_summary(report):
    text = "\n".join(summary_lines(report, 1))
    for fact in ("812 ms", "1 thread", "0.083", "63.1 %", "40.0 MiB", "1.83 ms", "32.0 MiB", "128 MiB", "analytic f"):
        assert fact in text


def test_compare_table_marks_the_best_but_not_the_reference(comparison):
    console = Console(file=io.StringIO(), width=100, force_terminal=True, color_system="standard")
    console.print(compare_table(comparison))
    bold = [line for line in console.file.getvalue().splitlines() if "\x1b[1m500 ms" in line]
    assert len(bold) == 1
    assert "\x1b[1m1.80×" in bold[0]
    assert "\x1b[1m0.100" in bold[0]
    assert "\x1b[1m300 ms" not in console.file.getvalue()


@pytest.mark.parametrize("width", [80, 100, 160])
def test_compare_table_fits(comparison, width):
    lines = text_of(compare_table(comparison), width).splitlines()
    assert max(map(len, lines)) <= width
    for policy in ("slow-only", "first-touch", "lbhm", "fast-only"):
        assert sum(policy in line for line in lines) == 1


def test_line_under_the_table(comparison):
    first, same, reference, remark = compare_lines(comparison)
    assert first == (
        "optane: fast memory 32.0 MiB (25.0 %) of a footprint of 128 MiB; 12 threads; analytic f; virtual times"
    )
    assert same == "all results are the same: checksum 0123456789abcdef"
    assert reference.startswith("fast-only is the reference")
    assert remark == "remark (lbhm): 2 samples were lost"


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        ("nothing printed", "the program printed nothing: no results were compared"),
        ("nothing", "nothing is left to compare: all that it printed changes with the clock"),
        ("words", "words alone were compared, and are the same: all numbers that it printed change with the clock"),
    ],
)
def test_results_are_not_the_same_where_there_are_none(comparison, left, sentence):
    lines = compare_lines(comparison | {"result": {"left": left}})
    assert sentence in lines
    assert not any("checksum" in line for line in lines)


def test_numbers_that_differ_in_their_last_digits_are_said_to(comparison):
    lines = compare_lines(comparison | {"result": {"left": "rounded"}})
    assert any(
        "are the same, numbers that depend on the order of threads but for their last digits" in line for line in lines
    )


def test_results_are_not_the_same_where_a_hidden_reference_has_another(comparison):
    lines = compare_lines(comparison | {"result": {"left": None, "differences": [{"policy": "lbhm"}]}})
    assert not any("are the same" in line for line in lines)


def test_only_what_is_shorter_than_all_others_is_bold(comparison):
    for run, times in zip(comparison["runs"], ([8e8, 9e8], [5e8, 7e8], [4.9e8, 5.1e8], [3e8, 3e8]), strict=True):
        run["times_ns"] = times
    assert "[bold]" not in "".join(cell for cell in compare_table(comparison).columns[0].cells)
    comparison["runs"][2]["times_ns"] = [4.8e8, 4.9e8]
    assert list(compare_table(comparison).columns[0].cells)[2] == "[bold]lbhm[/]"


def test_little_managed_memory_is_told_with_what_to_do(report):
    row = {"name": "a", "site": "0", "bytes": 1 << 20, "tiers_bytes": [[0, 1 << 20], [0, 0]]}
    line = managed_lines([report | {"timeline": {"objects": [row]}}], 4 << 20)[0]
    assert line.startswith("25.0 % of the footprint is managed")
    assert "--heap" in line
    assert managed_lines([report | {"timeline": {"objects": [row]}}], 1 << 20) == []


def test_regions_of_one_function_are_told_apart(report):
    places = {"a+0x20": "f", "a+0x100": "f", "a+0x30": "g"}
    assert distinct_names(places, places.get) == {"a+0x20": "f, region 1", "a+0x100": "f, region 2", "a+0x30": "g"}


def test_remark_about_all_policies_stands_once(comparison):
    comparison["runs"] = [run | {"remarks": ["no tiers"]} for run in comparison["runs"]]
    assert [line for line in compare_lines(comparison) if "tiers" in line] == ["remark: no tiers"]


def test_remarks_that_differ_in_numbers_alone_stand_once(comparison):
    for number, run in enumerate(comparison["runs"]):
        run["remarks"] = [f"about {number}000 accesses were not seen: libm.so.6 ({number} ms)"]
    shown = [line for line in compare_lines(comparison) if "remark" in line]
    assert shown == ["remark (numbers of slow-only): about 0000 accesses were not seen: libm.so.6 (0 ms)"]
    comparison["runs"][0]["remarks"] = []
    shown = [line for line in compare_lines(comparison) if "remark" in line]
    policies = "first-touch, lbhm, fast-only; numbers of first-touch"
    assert shown == [f"remark ({policies}): about 1000 accesses were not seen: libm.so.6 (1 ms)"]


def test_what_the_host_cannot_count_is_not_shown_as_nothing(report):
    uncounted = [{"lane": 0, "time_ns": 5, "predicted_ns": None, "accesses": 0, "fast_accesses": 0, "fast_bytes": 0}]
    regions = [{"region": "a", "instance": 0, "time_ns": 5, "tasks": uncounted}]
    host = report | {"virtual_time": False, "footprint_bytes": 0, "fast_access_share": 0, "regions": regions}
    text = "\n".join(summary_lines(host, 2))
    assert "(real)" in text
    assert "– of the accesses in fast memory" in text
    assert "footprint" not in text


def test_conclusion_does_not_flatter(comparison):
    assert "finishes 16.7 % earlier than under first-touch" in conclusion(comparison)
    assert "differ less (A.C.V. 0.100 against 0.400)" in conclusion(comparison)
    runs = {run["policy"]: run for run in comparison["runs"]}
    of_theirs = runs["first-touch"]
    runs["lbhm"] |= {"acv": 0.5, "makespan_ns": 0.7 * of_theirs["makespan_ns"]}
    assert "differ by less time, but by a larger part of it (A.C.V. 0.500 against 0.400)" in conclusion(comparison)
    comparison["runs"][2] |= {"makespan_ns": 9e8, "acv": 0.5}
    assert "finishes 50.0 % later than under first-touch" in conclusion(comparison)
    assert "do not differ less" in conclusion(comparison)
    comparison["runs"][2] |= {"makespan_ns": comparison["runs"][1]["makespan_ns"]}
    assert "finishes no earlier than under first-touch" in conclusion(comparison)


def test_checksum():
    assert checksum_of(b"a\nchecksum: ff01\nb\n") == "ff01"
    assert checksum_of(b"Checksum:\tff01\r\n") == "ff01"
    without = checksum_of(b"no such line")
    assert len(without) == 16
    assert without != checksum_of(b"no such lines")
    assert checksum_of(b"checksum: 1\nchecksum: 2\n time 3") == checksum_of(b"checksum: 1\nchecksum: 2\n time 4")
    assert checksum_of(b"checksum: 1\nchecksum: 2\n") != checksum_of(b"checksum: 1\nchecksum: 3\n")


def test_recorded_report_fits_its_schema():
    assert json.loads(RECORDED.read_text())["schema"] == "lbhm.report/1"
    read_report(RECORDED, "spgemm")


def test_sources_below_this_folder_are_named_from_here(tmp_path, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    assert place_of({"file": str(tmp_path / "work/src/a.c"), "line": 7}) == "src/a.c:7"
    assert place_of({"file": str(tmp_path / "other/a.c"), "line": 7}) == f"{tmp_path}/other/a.c:7"
    assert place_of({"file": "src/a.c", "line": 0}) == "src/a.c"
