"""Do alpha's parts work together: the stencil table of a machine, the compiler's patterns, Eq. 1?"""

import json

import pytest

MACHINE = {"machine": "optane", "policy": "merchandiser-once", "fast_capacity": "64K", "sample_period": "7"}


@pytest.fixture
def table(runner):
    """The file of lbhm machine alpha."""
    file = runner.folder / "alpha.json"
    runner.command("machine", "alpha", "--machine", "optane", "--output", file)
    return file


def errors(report, name):
    """|predicted / counted - 1| of an object, plan by plan."""
    objects = [entry for plan in report["plans"] for entry in plan["objects"] if entry["name"] == name]
    return [abs(entry["estimated_accesses"] / entry["counted_accesses"] - 1) for entry in objects]


def test_the_table_has_what_caches_do_to_stencils(table):
    rows = json.loads(table.read_text())["stencils"]

    def counts(dimensions, points):
        chosen = [
            row for row in rows if (row["dimensions"], row["points"], row["element_bytes"]) == (dimensions, points, 8)
        ]
        return [row["accesses_per_element"] for row in chosen]

    # Three neighbours are on one line or the next: eight doubles a line, whatever the size.
    assert counts(1, 3) == pytest.approx([1 / 8] * len(counts(1, 3)), rel=0.02)
    # Planes of a large cube do not stay in the caches: each element is fetched about three times.
    cube = counts(3, 7)
    assert cube[0] == pytest.approx(1 / 8, rel=0.05)
    assert cube[-1] == pytest.approx(3 / 8, rel=0.1)


def test_a_small_cube_is_predicted_from_a_large_one(runner, table):
    """2 MiB do not fit into the caches of the preset, 512 KiB have planes that do."""
    words = ("pattern-kernels-emu", "cross-7", "2M", "512K")
    with_table = runner.run(*words, threads=4, alpha=str(table), **MACHINE)
    without = runner.run(*words, threads=4, **MACHINE)
    assert errors(with_table.report, "in")[0] < 0.2
    assert errors(without.report, "in")[0] > 1


@pytest.mark.parametrize("kernel", ["triad", "stride-96", "line-3"])
def test_streams_strides_and_lines_are_predicted_to_five_percent(runner, table, kernel):
    report = runner.run("pattern-kernels-emu", kernel, "2M", "512K", "1M", "4M", threads=4, alpha=str(table), **MACHINE)
    names = {entry["name"] for entry in report.report["plans"][0]["objects"]}
    assert all(max(errors(report.report, name)) < 0.05 for name in names)


@pytest.mark.parametrize("kernel", ["delta", "column", "gauss-seidel", "histogram", "sort"])
def test_kernels_compute_the_same_on_the_emulated_machine(runner, kernel):
    words = (kernel, "64K", "32K")
    plain = runner.run("pattern-kernels", *words, library=None, threads=4)
    emulated = runner.run("pattern-kernels-emu", *words, threads=4, **MACHINE)
    assert plain.status == emulated.status == 0
    assert json.loads(plain.stdout) == json.loads(emulated.stdout)


@pytest.mark.parametrize("words", [(), ("nothing", "1M"), ("triad", "1G"), ("triad", "12"), ("triad",)])
def test_kernels_refuse_what_they_cannot_run(runner, words):
    done = runner.run("pattern-kernels", *words, library=None)
    assert done.status == 2
    assert "Usage: pattern-kernels list | NAME SIZE..." in done.stderr
