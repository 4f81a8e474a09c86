"""Runs a program with plain libomp, with LB-HM preloaded, and linked in front of libomp: the outputs must be the same.

same_output.py LIBRARY PLAIN [LINKED] [NAME=VALUE...]
"""

import os
import subprocess
import sys


def run(program: str, environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run([program], env=os.environ | environment, stdout=subprocess.PIPE, text=True, timeout=100)
    return done.returncode, done.stdout


def main(library: str, *arguments: str) -> int:
    programs = [a for a in arguments if "=" not in a]
    settings = dict(a.split("=", 1) for a in arguments if "=" in a)
    expected = run(programs[0], settings | {"LBHM_EXPECTED": "0"})
    if expected[0] != 0 or not expected[1]:
        print(f"with plain libomp: exit status {expected[0]}\n{expected[1]}")
        return 1
    loaded = settings | {"LBHM_EXPECTED": "1"}
    runs = {"preloaded": run(programs[0], loaded | {"LD_PRELOAD": library})}
    if len(programs) > 1:
        runs["linked"] = run(programs[1], loaded)
    for name, result in runs.items():
        if result != expected:
            print(f"plain: {expected[0]}\n{expected[1]}\n{name}: {result[0]}\n{result[1]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
