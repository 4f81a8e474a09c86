"""Which version of the plugin built a file, and which one the installed runtime understands.

Both are LBHM_EMU_ABI of include/lbhm/instrumentation.h: the plugin leaves it in every object file, the runtime exports
its functions under names that end in it.
"""

from __future__ import annotations

import re
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from lbhm.base.build_tree import AGAIN
from lbhm.base.errors import Refusal

_REFILL = re.compile(r"lbhm_emu_refill_v(\d+)")  # LBHM_EMU_REFILL_NAME


def version_of_runtime(library: Path) -> int:
    """Raises Refusal when the runtime offers nothing to instrumented programs."""
    try:
        with library.open("rb") as file:
            symbols = ELFFile(file).get_section_by_name(".dynsym")
            names = [symbol.name for symbol in symbols.iter_symbols()] if symbols else []
    except (OSError, ELFError) as error:
        raise Refusal(f"{library}: the runtime cannot be read ({error}); {AGAIN}") from None
    versions = [int(match[1]) for name in names if (match := _REFILL.fullmatch(name))]
    if not versions:
        raise Refusal(f"{library}: it has no lbhm_emu_refill function; {AGAIN}")
    return max(versions)


def check_versions(found: dict[Path, frozenset[int]], installed: int) -> None:
    """`found`: versions by file. Raises Refusal that names the first file the runtime would not hear from."""
    for path, versions in found.items():
        others = sorted(versions - {installed})
        if not others:
            continue
        listed = " and ".join(map(str, others))
        rebuild = "build it again, all of its files, with lbhm c++ --emulate (lbhm cc, lbhm fc)"
        if installed in versions:
            raise Refusal(
                f"{path}: parts of it were built with version {listed} of LB-HM's plugin and parts with version "
                f"{installed}, and the emulated machine would see only a part of its accesses; {rebuild}"
            )
        raise Refusal(
            f"{path}: it was built with version {listed} of LB-HM's plugin, and the installed runtime understands "
            f"version {installed} only, so the emulated machine cannot see its accesses; {rebuild}"
        )
