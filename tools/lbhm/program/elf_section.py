"""Sections of ELF files: where the plugin leaves what it has to say."""

from __future__ import annotations

from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

LINKED = ("ET_EXEC", "ET_DYN")  # programs and shared libraries


def section(path: Path, name: str, types: tuple[str, ...] | None = None) -> bytes:
    """The bytes of a section; empty if there is none, if the file is not of these types, or is no ELF file at all."""
    try:
        with path.open("rb") as file:
            elf = ELFFile(file)
            found = elf.get_section_by_name(name) if types is None or elf["e_type"] in types else None
            return found.data() if found else b""
    except (OSError, ELFError):
        return b""
