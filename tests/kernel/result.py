"""ctest's kernel.NAME: shows what one case of the last boot said; its exit status is that of the case.

result.py --results FOLDER NAME
"""

import argparse
import json
import sys
from pathlib import Path

SKIPPED = 77


def main() -> int:
    parser = argparse.ArgumentParser(description="the result of one case")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("name")
    options = parser.parse_args()
    place = options.results / options.name
    if not options.results.joinpath("initramfs.cpio").exists():
        print("skipped: the machine was not booted; kernel.boot says why")
        return SKIPPED
    if not place.is_dir():
        print(f"{options.name} did not run: the machine stopped before; see the output of kernel.boot")
        return 1
    print(place.joinpath("output.txt").read_text(), end="")
    result = json.loads(place.joinpath("result.json").read_text())
    if result["status"] is None:
        print(f"{options.name} never ended: the machine stopped, or its time was over")
        return 1
    print(f"exit status {result['status']}, {result['seconds']:.2f} s in the guest")
    return 0 if result["status"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
