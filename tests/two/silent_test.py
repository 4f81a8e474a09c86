"""Is a program's standard error its own, whatever the libraries that we load think of this computer?"""

import shutil

import pytest
from host import binary


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_nothing_more_is_said_under_valgrind(two_nodes):
    """hwloc asks the processors there in a way that it then complains of; libomp may bring it, too."""
    program = [shutil.which("valgrind"), "-q", str(binary("two-own-way")), "handler"]
    alone, ours = (two_nodes.run(program, policy=policy) for policy in (None, "lbhm"))
    assert ours.report and alone.report is None, ours.stderr
    assert (ours.status, ours.stderr) == (alone.status, alone.stderr)
