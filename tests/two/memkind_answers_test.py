"""On a host with two memory nodes: does memkind's interface answer as without LB-HM?"""

import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "libc-ext" / "programs" / "memkind_answers.c"


@pytest.mark.parametrize("nodes", ["0", None], ids=["libmemkind has fast memory", "it has none"])
def test_it_answers_as_libmemkind(two_nodes, tmp_path, nodes):
    if not Path("/usr/include/memkind.h").exists():
        pytest.skip("libmemkind-dev is not installed")
    program = tmp_path / "memkind_answers"
    subprocess.run(["clang-19", "-O1", SOURCE, "-o", program, "-lmemkind"], check=True)
    alone = two_nodes.run([str(program)], policy=None, env={"MEMKIND_HBW_NODES": "0"})
    assert alone.status == 0, alone.stderr
    shim = two_nodes.environment("lbhm")["LD_PRELOAD"]
    settings = {"LD_PRELOAD": f"{shim}:{two_nodes.library.with_name('liblbhm-heap.so')}"}
    outcome = two_nodes.run([str(program)], env=settings | ({"MEMKIND_HBW_NODES": nodes} if nodes else {}))
    assert (outcome.status, outcome.stdout, outcome.stderr) == (0, alone.stdout, "")
