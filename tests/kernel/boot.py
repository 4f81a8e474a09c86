"""ctest's kernel.boot: boots the machine once, runs all cases in it and leaves their results in a folder.

    boot.py --results FOLDER --cache FOLDER [--kernel 6.1] [--seconds N] [--cases FILE] [--folder PLACE=PATH]... FILE...

FILEs are programs and libraries for the guest; what is in a folder of Python, or one file, goes to PLACE there. Exit
status: 0, all cases ended (well or not); 1, the machine did not come to its end; 77, the machine cannot be had here (1
with LBHM_KERNEL_TESTS=required).
"""

import argparse
import json
import os
import shutil
import sys
import time
from pathlib import Path

from vm.errors import Unavailable
from vm.initramfs import Archive, busybox, folder_with_libraries, with_libraries
from vm.kernel import SOURCES, Kernel, find_kernel
from vm.qemu import boot
from vm.results import Console, Result

HERE = Path(__file__).resolve().parent
SKIPPED = 77  # also in CMakeLists.txt


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="boots the two-tier machine and runs the cases in it")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--kernel", default=os.environ.get("LBHM_KERNEL", "6.1"))
    parser.add_argument(
        "--seconds", type=float, default=1200, help="the guest is killed after that; it may be booted twice"
    )
    parser.add_argument("--cases", type=Path, default=HERE / "cases.txt")
    parser.add_argument("--folder", action="append", default=[], dest="folders")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    if options.kernel not in SOURCES:
        parser.error(f"--kernel (LBHM_KERNEL) is {options.kernel}: use {' or '.join(SOURCES)}")
    return options


def make_initramfs(path: Path, kernel: Kernel, cases: Path, files: list[Path], folders: list[str]) -> None:
    archive = Archive(path)
    archive.add("init", (HERE / "init").read_bytes())
    archive.add("cases.txt", cases.read_bytes(), 0o644)
    archive.add("bin/busybox", busybox().read_bytes())
    for name, content in kernel.modules.items():
        archive.add(f"modules/{name}", content, 0o644)
    placed = with_libraries(files)
    for place, _, folder in (text.partition("=") for text in folders):
        placed = folder_with_libraries(place, Path(folder)) | placed
    for name, source in placed.items():
        archive.add(name, source.read_bytes())
    archive.close()


def save(result: Result, folder: Path) -> None:
    """Leaves what result.py reads."""
    place = folder / result.name
    place.mkdir(parents=True)
    (place / "output.txt").write_text("\n".join(result.output) + "\n")
    (place / "result.json").write_text(json.dumps({"status": result.status, "seconds": result.seconds}))
    for name, content in result.files.items():
        (place / name).write_bytes(content)


def run(options: argparse.Namespace) -> int:
    shutil.rmtree(options.results, ignore_errors=True)
    options.results.mkdir(parents=True)
    begin = time.monotonic()
    kernel = find_kernel(options.kernel, options.cache)
    image = options.results / "initramfs.cpio"
    make_initramfs(image, kernel, options.cases, options.files, options.folders)
    print(f"{kernel.image.name}; initramfs {image.stat().st_size / 1e6:.1f} MB", flush=True)
    console = Console()
    console.read(boot(kernel.image, image, options.seconds))
    if console.lost_to_emulation:
        print("Oops: int3: the emulated processors patched the kernel's code wrongly; booting once more", flush=True)
        console = Console()
        console.read(boot(kernel.image, image, options.seconds))
    for result in console.results.values():
        save(result, options.results)
        print(f"  {result.name:24} exit status {result.status}, {result.seconds:.2f} s")
    print(f"{len(console.results)} cases, {time.monotonic() - begin:.1f} s")
    if not console.finished:
        print("the machine did not come to its end; its last words:")
        last = list(console.results.values())[-1].output if console.results else console.outside
        print("\n".join(f"  | {line}" for line in last[-25:]))
        return 1
    return 0


def main() -> int:
    try:
        return run(arguments())
    except Unavailable as missing:
        required = os.environ.get("LBHM_KERNEL_TESTS") == "required"
        print(f"{'failed' if required else 'skipped'}: {missing}")
        return 1 if required else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
