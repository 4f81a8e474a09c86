"""The kernel of the virtual machine: Debian's cloud kernel, downloaded and unpacked, never installed."""

import fcntl
import lzma
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from vm.errors import Unavailable

# In the order in which the guest loads them; dax_hmem makes a device of memory that the firmware calls special purpose.
DAX_MODULES = ("dax/device_dax.ko", "dax/hmem/dax_hmem.ko", "dax/kmem.ko")
_PACKAGE = "linux-image-cloud-amd64"  # depends on the image of its suite
# Kernels, and the source of packages that has each; None: the host's own sources (Debian 12).
SOURCES = {"6.1": None, "6.12": "deb http://deb.debian.org/debian bookworm-backports main"}


@dataclass(frozen=True)
class Kernel:
    """A bootable image and what it has of DAX_MODULES, uncompressed, by file name."""

    image: Path
    modules: dict[str, bytes]


def find_kernel(version: str, cache: Path) -> Kernel:
    """The kernel of this version, a key of SOURCES. It is downloaded if `cache` has none. Errors: Unavailable."""
    root = cache / version
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:  # two machines may boot at a time
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not root.is_dir():
            _download(SOURCES[version], root)
    images = sorted((root / "boot").glob("vmlinuz-*"))
    if not images:
        raise Unavailable(f"{root} has no boot/vmlinuz-*: remove the folder to download the kernel again")
    return Kernel(images[-1], _modules(root))


def _download(source: str | None, root: Path) -> None:
    """Unpacks the kernel of this source as `root`, all of it or nothing."""
    for tool in ("apt-get", "apt-cache", "dpkg"):
        if shutil.which(tool) is None:
            raise Unavailable(f"no {tool} here: the kernel of the virtual machine is a Debian package")
    scratch = root.with_name(f"{root.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    options = _only(source, scratch / "apt") if source else []
    _run(["apt-get", *options, "download", "-q", _image(options)], scratch)
    _run(["dpkg", "-x", *(str(deb) for deb in scratch.glob("*.deb")), str(scratch / "root")], scratch)
    (scratch / "root").rename(root)
    shutil.rmtree(scratch)


def _only(source: str, folder: Path) -> list[str]:
    """Options with which apt knows this source alone, in a folder of its own: the host's sources stay as they are."""
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "sources.list").write_text(source + "\n")
    settings = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "root",  # the folder need not be readable for others
    }
    options = [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]
    _run(["apt-get", *options, "update", "-q"], folder)
    return options


def _image(options: list[str]) -> str:
    """The image package that the newest version of _PACKAGE depends on."""
    shown = _run(["apt-cache", *options, "show", "--no-all-versions", _PACKAGE], Path("/"))
    for line in shown.splitlines():
        if line.startswith("Depends: linux-image-"):
            return line.split()[1].rstrip(",")
    raise Unavailable(f"apt knows no {_PACKAGE} that names an image: run apt-get update")


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
