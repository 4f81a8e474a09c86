"""The kernel of the virtual machine: Debian's cloud kernel, downloaded and unpacked, never installed."""

import lzma
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from vm.errors import Unavailable

# In the order in which the guest loads them; dax_hmem makes a device of memory that the firmware calls special purpose.
DAX_MODULES = ("dax/device_dax.ko", "dax/hmem/dax_hmem.ko", "dax/kmem.ko")
# Packages that name the current version of a kernel; 6.12 is in bookworm-backports, which not every host has as source.
PACKAGES = {"6.1": "linux-image-cloud-amd64", "6.12": "linux-image-cloud-amd64/bookworm-backports"}


@dataclass(frozen=True)
class Kernel:
    """A bootable image and what it has of DAX_MODULES, uncompressed, by file name."""

    image: Path
    modules: dict[str, bytes]


def find_kernel(version: str, cache: Path) -> Kernel:
    """The kernel of this version, a key of PACKAGES. It is downloaded if `cache` has none. Errors: Unavailable."""
    root = cache / version
    if not root.is_dir():
        _download(PACKAGES[version], root)
    images = sorted((root / "boot").glob("vmlinuz-*"))
    if not images:
        raise Unavailable(f"{root} has no boot/vmlinuz-*: remove the folder to download the kernel again")
    return Kernel(images[-1], _modules(root))


def _download(package: str, root: Path) -> None:
    """Unpacks the kernel package that `package` depends on as `root`, all of it or nothing."""
    for tool in ("apt-get", "apt-cache", "dpkg"):
        if shutil.which(tool) is None:
            raise Unavailable(f"no {tool} here: the kernel of the virtual machine is a Debian package")
    name, _, suite = package.partition("/")
    image = _depends(name, suite)
    scratch = root.with_name(f"{root.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    _run(["apt-get", "download", "-q", f"{image}/{suite}" if suite else image], scratch)
    _run(["dpkg", "-x", *(str(deb) for deb in scratch.glob("*.deb")), str(scratch / "root")], scratch)
    (scratch / "root").rename(root)
    shutil.rmtree(scratch)


def _depends(name: str, suite: str) -> str:
    """The image that the package `name` of this suite depends on."""
    command = [
        "apt-get",
        "install",
        "--simulate",
        "-q",
        *(["-t", suite] if suite else []),
        "--no-install-recommends",
        name,
    ]
    listed = _run(command, Path("/"))
    for line in listed.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "Inst" and words[1].startswith("linux-image-") and words[1] != name:
            return words[1]
    raise Unavailable(
        f"apt names no kernel for {name}{f' of {suite}' if suite else ''}: add its source, run apt-get update"
    )


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Unavailable(
            f"the kernel could not be downloaded: {' '.join(command)}: {' '.join(last)}; run apt-get update"
        )
    return done.stdout


def _modules(root: Path) -> dict[str, bytes]:
    found = {}
    for module in DAX_MODULES:
        for path in root.glob(f"lib/modules/*/kernel/drivers/{module}*"):
            content = path.read_bytes()
            found[Path(module).name] = lzma.decompress(content) if path.suffix == ".xz" else content
    return found
