"""Are names unique, files neither long nor fragments, and functions short?"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {".h", ".c", ".cpp", ".cc", ".hpp"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 40
LONGEST_OF_TRAINING = 60  # models were trained on these programs: other functions have other times
MEAN_LINES = 100
# Rooms of products whose files have so many lines on average, subfolders with them.
MERGED = ["apps", "compiler", "emulator", "libomp-ext", "model", "training"]
PRODUCTS = ["apps", "bench", "compiler", "emulator", "include", "libc-ext", "libomp-ext", "model", "runtime", "tools"]
PRODUCTS += ["training", "tests", "scripts"]
EVERYWHERE = {"main.c", "main.cpp", "conftest.py", "__init__.py", "__main__.py"}
# Programs that tests build or start: each is a world of its own.
PROGRAMS = re.compile(r"tests/(.*/)?programs/|tests/(hosts|kernel|two|faults)/|bench/(host|kernels|measure|patterns)/")
# Names that two files still have; none is added.
ALIKE = {
    *("alpha_test.py", "block_counts.h", "cli.py", "code_regions.h", "errors.py", "figures.py", "lanes.cpp"),
    *("model_test.py", "patterns.py", "patterns_test.py", "tables.py"),
}


def sources_of(root: Path, folders: list[str], suffixes: set[str]) -> list[Path]:
    return sorted(path for room in folders for path in (root / room).rglob("*") if path.suffix in suffixes)


def lines_of(path: Path) -> int:
    return path.read_text(errors="replace").count("\n")


def same_names(root: Path) -> dict[str, list[str]]:
    """Files by name, where several have one."""
    found: dict[str, list[str]] = {}
    for path in sources_of(root, PRODUCTS, SOURCES | {".py"}):
        name = path.relative_to(root).as_posix()
        if path.name not in EVERYWHERE and not PROGRAMS.match(name):
            found.setdefault(path.name, []).append(name)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_two_files_have_one_name():
    assert {name: paths for name, paths in same_names(ROOT).items() if name not in ALIKE} == {}


def test_no_file_is_long():
    paths = sources_of(ROOT, PRODUCTS, SOURCES | {".py"})
    assert [f"{path.relative_to(ROOT)}: {lines_of(path)}" for path in paths if lines_of(path) > LONGEST_FILE] == []


@pytest.mark.parametrize("room", MERGED)
def test_files_of_a_room_are_no_fragments(room):
    lines = [lines_of(path) for path in sources_of(ROOT, [room], SOURCES | {".py"})]
    mean = sum(lines) / len(lines)
    assert mean >= MEAN_LINES, f"{room}: {len(lines)} files of {mean:.0f} lines: merge what is never read alone"


# What has braces that are no code. Whichever begins first counts: a string may have // in it, a comment quotes.
NO_CODE = re.compile(
    r"""(?P<string>R"(?P<end>\w*)\(.*?\)(?P=end)"|"(?:\\.|[^"\\\n])*")|(?P<sign>'(?:\\.|[^'\\\n])')|//[^\n]*|/\*.*?\*/"""
    r"""|^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*""",
    re.DOTALL | re.MULTILINE,
)
# What stands in front of a function's brace; control flow has a word in front of its parenthesis.
FUNCTION_HEAD = re.compile(r"\)\s*(?:const|noexcept|override|mutable|->[^{};]*|:[^{};]*)*\s*$")
CONTROL = re.compile(r"^(?:else\s+)?(?:if|for|while|switch|catch)\b")


def code_of(text: str) -> str:
    """C++ without comments, directives, and what stands in strings; on the same lines."""

    def instead(match: re.Match[str]) -> str:
        kept = '""' if match["string"] else "0" if match["sign"] else ""
        return kept + "\n" * match.group().count("\n")

    return NO_CODE.sub(instead, text)


def cxx_functions(text: str) -> list[tuple[int, int]]:
    """First line and number of lines of each function, by counting braces; lambdas are functions too."""
    text = code_of(text)
    found, opened, begin, line = [], [], 0, 1
    for place, sign in enumerate(text):
        if sign == "\n":
            line += 1
        elif sign == "{":
            opened.append((line, text[begin:place].strip()))
        elif sign == "}" and opened:
            first, head = opened.pop()
            if FUNCTION_HEAD.search(head) and not CONTROL.match(head):
                found.append((first, line - first + 1))
        if sign in "{};":
            begin = place + 1
    return found


def python_functions(text: str) -> list[tuple[int, int]]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [(n.lineno, n.end_lineno - n.lineno + 1) for n in ast.walk(ast.parse(text)) if isinstance(n, functions)]


# Types: the libraries share their names; what else there is are programs, each a world of its own.
LIBRARIES = ["compiler", "emulator", "include", "libc-ext", "libomp-ext", "model", "runtime"]
APART = [
    "training",
    *sorted(str(path.relative_to(ROOT)) for room in ("apps", "bench") for path in (ROOT / room).glob("*/")),
]
SPECIFIERS = r"(?:\s*(?:\[\[[^\]]*\]\]|alignas\([^)]*\)))*"
TEMPLATE = r"(?:template\s*<.*>\s*(?:requires\b.*)?)?"
DEFINED = re.compile(
    rf"{TEMPLATE}(?:(?:class|struct|union|enum(?:\s+(?:class|struct))?){SPECIFIERS}\s+(\w+)\s*(?:final\s*)?(?::[^:].*)?"
    rf"|using\s+(\w+){SPECIFIERS}\s*=.*|typedef\b.*\b(\w+))",
    re.DOTALL,
)
NAMESPACE = re.compile(r'(?:inline\s+)?namespace\b[\w:\s]*|extern\s+""')


def cxx_types(text: str) -> set[str]:
    """Names of the types that are defined at namespace level; a struct that is only declared is not."""
    found, opened, closed, begin = set(), [], "", 0
    text = code_of(text)
    for place, sign in enumerate(text):
        if sign not in "{};":
            continue
        head = text[begin:place].strip()
        begin = place + 1
        if all(map(NAMESPACE.fullmatch, opened)) and sign != "}":
            if closed.startswith("typedef"):  # of C: the name comes behind
                head = f"typedef {head}"
            defined = DEFINED.fullmatch(head)
            if defined and (sign == "{") == (defined[1] is not None):
                found.add(defined[1] or defined[2] or defined[3])
        closed = opened.pop() if sign == "}" and opened else ""
        if sign == "{":
            opened.append(head)
    return found


def same_types(root: Path, rooms: list[str]) -> dict[str, list[str]]:
    """Headers by the types that several of them define."""
    found: dict[str, list[str]] = {}
    for path in sources_of(root, rooms, {".h", ".hpp"}):
        for name in cxx_types(path.read_text()):
            found.setdefault(name, []).append(path.relative_to(root).as_posix())
    return {name: paths for name, paths in sorted(found.items()) if len(paths) > 1}


@pytest.mark.parametrize("rooms", [LIBRARIES, *([room] for room in APART)], ids=lambda rooms: rooms[-1])
def test_no_type_has_two_meanings(rooms):
    assert same_types(ROOT, rooms) == {}


def test_no_function_is_long():
    long = [
        f"{path.relative_to(ROOT)}:{first}: {lines} lines"
        for path in sources_of(ROOT, PRODUCTS, SOURCES | {".py"})
        for first, lines in (python_functions if path.suffix == ".py" else cxx_functions)(path.read_text())
        if lines > (LONGEST_OF_TRAINING if ROOT / "training/corpus" in path.parents else LONGEST_FUNCTION)
    ]
    assert long == []


def test_functions_are_found_and_measured():
    text = (
        'struct A : B {\n  A() {\n    f("}");\n  }\n};\nint g(int a) const {\n  if (a) {\n  }\n  return a;  // {\n}\n'
        'void h() {\n  f("//}");\n  // "\n}\n'
    )
    assert cxx_functions(text) == [(2, 3), (6, 5), (11, 4)]
    assert python_functions("def f():\n    return 1\n") == [(1, 2)]


def test_a_second_file_of_one_name_is_seen(tmp_path):
    for name in ("emulator/parts/cache.h", "model/cache.h"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).touch()
    assert same_names(tmp_path) == {"cache.h": ["emulator/parts/cache.h", "model/cache.h"]}


TYPES = """
#include "a.h"
namespace lbhm::a {  // struct Comment {};
struct Declared;
template <class T, std::size_t N = 2>
struct alignas(64) Template final : Base<T>, Other {
  struct Inner {};
  using Alias = int;
  void f() { struct Local {}; }
};
enum class [[nodiscard]] Enum : std::uint8_t { one, two };
using Name = std::vector<int>;
struct Brace {} constant{};
inline const Declared value{"struct Text {"};
Declared make(struct Parameter* it) { return {}; }
}
extern "C" { struct c_struct { int a; }; }
typedef struct { int b; } c_name;
typedef unsigned long c_number;
using lbhm::a::Elsewhere;
"""


def test_types_are_found_in_headers():
    assert cxx_types(TYPES) == {"Template", "Enum", "Name", "Brace", "c_struct", "c_name", "c_number"}


def test_a_second_type_of_one_name_is_seen(tmp_path):
    for name, text in (("emulator/a.h", "namespace a { class Lane {}; }"), ("model/b.h", "using Lane = int;")):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text)
    assert same_types(tmp_path, ["emulator", "model"]) == {"Lane": ["emulator/a.h", "model/b.h"]}
