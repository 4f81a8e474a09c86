"""Does a profiler's signal find the way up the stack from each instruction of the functions that are in front?"""

import os
import re
import subprocess
from pathlib import Path

import pytest

BUILD = Path(os.environ.get("LBHM_BUILD", Path(__file__).resolve().parents[3] / "build" / "release"))
LIBRARY, HEAP = BUILD / "lib/liblbhm.so", BUILD / "lib/liblbhm-heap.so"
# How programs begin and end (a report is written: too many steps), starts of threads and programs (libc blocks the
# signal of a step there), memkind's names (no library of it is here), Fortran's, and what clang 19 does not call.
NOT_CALLED = re.compile(
    r"hbw_|memkind_|memtier_|f?exec\w+|_exit|_Exit|__libc_start_main|ompt_start_tool|omp_fulfill_event|\w+_$"
    r"|ompc?_display_affinity|omp_pause_\w+|posix_spawnp?|popen|system|pthread_create|pthread_\w*join\w*|thrd_(create|join)"
    r"|__kmpc_(dispatch_fini|omp_reg_task|omp_target_task|omp_wait_deps|task_allow|task_reduction_modifier|taskred_modifier|taskloop)"
    r"|pthread_cond_wait|cnd_wait"
)


def exported(*libraries) -> list[str]:
    listing = subprocess.run(["nm", "-D", "--defined-only", *libraries], capture_output=True, text=True, check=True)
    names = re.findall(r" [TW] (\w+)$", listing.stdout, re.MULTILINE)
    return [name for name in names if not re.match(r"lbhm_|LB_HM", name)]


@pytest.mark.parametrize("machine", ["host", "optane"])
def test_the_stack_is_walked_from_each_instruction(build, run, machine):
    program = build("stepped.c", "-fno-builtin", "-Wl,--no-as-needed", "-lstdc++", "-ldl", "-pthread")
    names = exported(LIBRARY, HEAP)
    assert len(names) > 150
    done = run(program, *names, machine=machine, preload=(LIBRARY, HEAP))
    found = re.match(r"(\d+) walks, (\d+) lost; not called:(.*)", done.stdout)
    assert done.status == 0 and found, done.stderr
    assert int(found[1]) > 10_000
    assert found[2] == "0", done.stderr
    assert [name for name in found[3].split() if not NOT_CALLED.match(name)] == []
