"""Does every file that a comment or a page names exist? Files are split and merged, and their names stay behind."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ["apps", "bench", "compiler", "docs", "emulator", "include", "libc-ext", "libomp-ext", "model", "packaging"]
FOLDERS += ["quickstart", "runtime", "scripts", "tests", "tools", "training"]
NAME = re.compile(r"(?<![\w*<>{}$/-])(?:\.\.?/)*((?:[\w.+-]+/)*[A-Za-z_][\w+-]*\.(?:h|cpp|py))\b(?![\w(*])")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)

# Files of others: of Linux and the C library, of LLVM and its libomp, of libraries that programs use, of the papers.
LINUX = {"asm/sigcontext.h", "linux/perf_event.h", "arch/x86/include/asm/amd-ibs.h", "mm/shuffle.h", "unistd.h"}
LINUX |= {f"include/uapi/linux/{name}.h" for name in ("fs", "perf_event", "userfaultfd")}
LLVM = {"X86ISelLowering.cpp", "omp.h", "omp-tools.h", "kmp.h", "openmp/runtime/src/kmp.h", "unwind-dw2-fde.h"}
LLVM |= {f"kmp_{name}.cpp" for name in ("affinity", "alloc", "dispatch", "environment", "runtime", "tasking")}
LIBRARIES = {"hbwmalloc.h", "memkind.h", "mempolicy.h", "numa.h", "numaif.h", "papi.h"}
PAPERS = {"IntervalFitting.h", "Option.h", "config.h", "htmm.h", "proc_obj_e.py", "src/soar/run/proc_obj_e.py"}
PAPERS |= {"run/bc-urand/set_migrate_scale.py", "set_scan_scale.py", "tiering_runtime/hybridtier.cpp"}
# What pages call a program of the reader's, and a pattern for names.
EXAMPLES = {"app.cpp", "grids.cpp", "harness/NAME.py", "lookup.cpp", "program.cpp"}
FOREIGN = LINUX | LLVM | LIBRARIES | PAPERS | EXAMPLES


def texts_of(path: Path) -> Iterator[str]:
    """What is written for people."""
    text = path.read_text(errors="replace")
    if path.suffix == ".md":
        yield text
    elif path.suffix in (".h", ".c", ".cpp"):
        yield from COMMENT.findall(STRING.sub('""', text))
    elif path.suffix == ".py" and ROOT / "tests" not in path.parents:  # tests speak of files that they write
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or token.string.startswith('"""'):
                yield token.string


def pages_and_sources() -> list[Path]:
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted([*ROOT.glob("*.md"), *inside])


def test_files_that_comments_and_pages_name_exist():
    files = pages_and_sources()
    ends: dict[str, list[str]] = {}
    for path in files:
        ends.setdefault(path.name, []).append(f"/{path.relative_to(ROOT).as_posix()}")
    missing = set()
    for path in files:
        for name in (name for text in texts_of(path) for name in NAME.findall(text)):
            known = any(end.endswith(f"/{name}") for end in ends.get(name.rpartition("/")[2], []))
            if not known and name not in FOREIGN:
                missing.add(f"{path.relative_to(ROOT).as_posix()}: {name}")
    assert sorted(missing) == []


def test_the_files_of_others_are_named_somewhere():
    texts = "\n".join(text for path in pages_and_sources() if path != Path(__file__) for text in texts_of(path))
    assert FOREIGN - set(NAME.findall(texts)) == set()
