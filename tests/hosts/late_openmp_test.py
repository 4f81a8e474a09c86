"""OpenMP that is loaded late, and for a part of the process alone."""

import itertools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import assert_the_same, build, run

RUNTIMES = {"libomp": "clang-19", "libgomp": "gcc"}
FIT = """
import numpy as np
from sklearn.cluster import KMeans
print(round(KMeans(3, n_init=2, random_state=0).fit(np.random.RandomState(0).rand(2000, 5)).inertia_, 6))
"""
EXTENSION = """
import ctypes, sys
for path in sys.argv[1:] * 2:
    print(ctypes.CDLL(path).work(1000))
"""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plugins")
    return {
        name: build("plugin.c", folder / f"{name}.so", "-fopenmp", "-shared", "-fPIC", compiler=compiler)
        for name, compiler in RUNTIMES.items()
    }


def test_a_host_opens_and_closes_a_plugin_with_openmp(plugins, tmp_path):
    host = build("plugin_host.c", tmp_path / "host", "-ldl", compiler="gcc")
    assert assert_the_same(host, plugins["libomp"]).stdout == "3\n" * 3


@pytest.mark.parametrize("order", [("libgomp",), *itertools.permutations(RUNTIMES)])
def test_each_plugin_is_served_by_its_own_runtime(plugins, order, tmp_path):
    host = build("plugin_host.c", tmp_path / "host", "-ldl", compiler="gcc")
    assert assert_the_same(host, "keep", *(plugins[name] for name in order)).stdout == "3\n" * 3 * len(order)


def test_a_plugin_works_on_a_thread_while_another_is_opened(plugins, tmp_path):
    host = build("plugin_threads.c", tmp_path / "threads", "-ldl", "-pthread", compiler="gcc")
    assert assert_the_same(host, plugins["libomp"], plugins["libgomp"]).stdout == "wrong: 0\n"


@pytest.mark.parametrize("order", [("libomp",), ("libgomp",), ("libgomp", "libomp")])
def test_python_loads_extensions_with_openmp(plugins, order):
    words = [sys.executable, "-c", EXTENSION, *(str(plugins[name]) for name in order)]
    expected = run(*words, preload=False)
    assert expected.status == 0
    assert expected == run(*words, preload=True)


def test_scikit_learn_runs_with_the_runtime_that_it_brings():
    expected = run(sys.executable, "-c", FIT, preload=False)
    assert expected.status == 0
    assert expected == run(sys.executable, "-c", FIT, preload=True)


def test_a_program_that_asks_for_openmp_finds_none(tmp_path):
    program = build("weak_symbols.c", tmp_path / "weak", compiler="gcc")
    assert assert_the_same(program).stdout == "no OpenMP\n"


def test_regions_of_a_plugin_are_seen(plugins, tmp_path):
    host = build("plugin_host.c", tmp_path / "host", "-ldl", compiler="gcc")
    report = tmp_path / "report.json"
    run(host, plugins["libomp"], preload=True, LBHM_REPORT=str(report))
    assert report.read_text().count("libomp.so+0x") >= 3
