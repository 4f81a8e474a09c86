"""Checks that the library exports every allocator function of libomp, without a symbol version.

exports_test.py LIBRARY LIBOMP
"""

import re
import subprocess
import sys

ALLOCATOR_FUNCTION = re.compile(
    r"^((omp_|__kmpc_)(\w*alloc|free|(init|destroy|get_default|set_default)_allocator)|GOMP_(alloc|free))_?$"
)
NOT_OURS = re.compile(r"task_alloc$|_mem_alloc$|null_allocator$")  # tasks, and constants for Fortran


def exported(library: str) -> list[str]:
    done = subprocess.run(["nm", "-D", "--defined-only", library], check=True, stdout=subprocess.PIPE, text=True)
    return [line.split()[-1] for line in done.stdout.splitlines()]


def main(library: str, libomp: str) -> int:
    wanted = {name.split("@")[0] for name in exported(libomp)}
    wanted = {name for name in wanted if ALLOCATOR_FUNCTION.match(name) and not NOT_OURS.search(name)}
    missing = wanted - set(exported(library))
    print(f"{len(wanted)} functions, missing or versioned: {sorted(missing)}")
    return 1 if missing or len(wanted) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
