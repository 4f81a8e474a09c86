"""Does what only emulated machines need stand in front of nothing on real ones?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, build, run

HOST = BUILD / "lib" / "host" / "liblbhm.so"


def visible(*files) -> set[str]:
    """The functions of these files that others can call or have replaced."""
    words = ["readelf", "--symbols", "--wide", *files]
    rows = [
        line.split() for line in subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    ]
    functions = [row for row in rows if row[3:4] == ["FUNC"] and row[6] != "UND"]
    return {row[7].split("@")[0] for row in functions if row[4] != "LOCAL" and row[5] == "DEFAULT"}


def of_virtual_time() -> set[str]:
    """What the library with the emulated machine has of libomp-ext/virtual, less what the other one has of it."""
    folders = BUILD / "libomp-ext" / "virtual" / "CMakeFiles"
    virtual, real = (visible(*(folders / f"lbhm_{time}_openmp.dir").rglob("*.o")) for time in ("virtual", "real"))
    assert all(name.startswith(("_Z", "__kmpc_")) for name in real)
    found = {name for name in virtual - real if not name.startswith("_Z")}
    assert {"read", "pthread_create", "__cxa_guard_acquire", "clock_gettime"} <= found
    return found


def test_the_library_for_hosts_has_none_of_it():
    assert of_virtual_time() <= visible(BUILD / "lib" / "liblbhm.so")
    assert not of_virtual_time() & visible(HOST)


def test_nothing_of_a_program_is_bound_to_it(tmp_path):
    program = build("openmp.cpp", tmp_path / "program", "-fopenmp")
    bound = {}
    for library in (HOST, BUILD / "lib" / "liblbhm.so"):
        debug = {"LD_DEBUG": "bindings", "LD_BIND_NOW": "1", "LD_DEBUG_OUTPUT": str(tmp_path / "bindings")}
        assert run(program, preload=False, LD_PRELOAD=str(library), **debug).status == 0
        lines = "".join(file.read_text() for file in tmp_path.glob("bindings.*"))
        found = re.findall(rf"binding file (\S+) .* to {re.escape(str(library))} .* `(\w+)'", lines)
        bound[library] = {name for file, name in found if file != str(library)}
        assert "__kmpc_fork_call" in bound[library]
    assert not bound[HOST] & of_virtual_time()
    assert bound[BUILD / "lib" / "liblbhm.so"] & of_virtual_time()


def test_it_says_that_it_emulates_nothing(tmp_path):
    program = build("openmp.cpp", tmp_path / "program", "-fopenmp")
    environment = {"PATH": os.environ["PATH"], "LD_PRELOAD": str(HOST), "LBHM_MACHINE": "optane"}
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "LBHM_MACHINE=optane: the liblbhm.so in the folder host is for real machines alone" in done.stderr
