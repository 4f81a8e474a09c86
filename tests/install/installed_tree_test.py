"""Does an installed LB-HM work in any place, for anybody, with the source and the build tree gone?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = Path(sys.executable).resolve()
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
COMMANDS = ["policies", "settings", "machine list", "machine show optane", "cflags", "cflags --emulate", "doctor"]


def needs(program: str):
    return pytest.mark.skipif(not shutil.which(program), reason=f"{program} is not installed")


def files_of(tree: Path) -> list[Path]:
    venv = tree / "lib/lbhm/venv"  # of these tests
    return [path for path in tree.rglob("*") if not path.is_dir() and not path.is_relative_to(venv)]


def test_no_file_names_the_place_where_it_was_made(tree, place):
    names = {os.fsencode(folder) for folder in (ROOT, BUILD.resolve(), place / "first")}
    files = files_of(tree)
    assert len(files) > 150
    assert [path for path in files if not path.is_symlink() and any(name in path.read_bytes() for name in names)] == []
    assert [path for path in files if path.is_symlink() and path.readlink().is_absolute()] == []


@needs("readelf")
@pytest.mark.parametrize("name", ["liblbhm.so", "liblbhm-heap.so", "host/liblbhm.so"])
def test_loaders_of_another_libc_still_refuse_it(tree, name):
    listing = subprocess.run(["readelf", "-lW", tree / "lib" / name], capture_output=True, text=True, check=True).stdout
    places = [line.split() for line in listing.splitlines() if line.split()[:1] == ["LOAD"]]
    assert [place[1] for place in places if place[-1] == "0x1"] == ["0x8000000000000000"]


@pytest.mark.parametrize("words", COMMANDS)
def test_commands(person, words):
    done = person("lbhm", *words.split())
    assert done.stdout
    assert str(ROOT) not in done.stdout
    if person.hidden:
        assert person("ls", ROOT).stdout == ""


@pytest.mark.source
def test_the_version_is_that_of_the_project(person, tree):
    version = (tree / "share/lbhm/version").read_text().strip()
    assert f"project(lbhm VERSION {version} " in (ROOT / "CMakeLists.txt").read_text()
    assert person("lbhm", "--version").stdout == f"lbhm {version}\n"
    assert person("lbhm", "-h").stdout == person("lbhm", "--help").stdout


def test_by_a_link_and_by_a_path(person, tree):
    (person.home / "link").symlink_to(tree / "bin/lbhm")
    expected = person("lbhm", "--version").stdout
    assert person("./link", "--version").stdout == expected
    assert person(os.path.relpath(tree / "bin/lbhm", person.home), "--version").stdout == expected


def test_the_environment_of_a_build_tree_does_not_count(person):
    """Nor of another LB-HM: its Python files are not taken, and no program inherits ours."""
    person.write("lbhm.py", "raise SystemExit('the wrong one')")
    shown = person("lbhm", "cflags", LBHM_BUILD=str(BUILD), PYTHONPATH=str(person.home)).stdout
    assert str(ROOT) not in shown
    person.write("show.py", "import os; print('PYTHONPATH' in os.environ)")
    assert person("lbhm", "run", "--", "/usr/bin/python3", "show.py").stdout == "False\n"


@pytest.fixture(scope="session")
def bare(place):
    """A Python without any package."""
    subprocess.run([PYTHON, "-m", "venv", "--without-pip", place / "bare"], check=True)
    return place / "bare/bin/python"


def test_pythons_standard_library_tells_version_help_and_what_is_missing(person, bare):
    alone = {"LBHM_PYTHON": str(bare)}
    assert person("lbhm", "--version", **alone).stdout == person("lbhm", "--version").stdout
    assert "  compare " in person("lbhm", "--help", **alone).stdout
    for words in ("run", "compare", "machine measure", "train"):
        assert person("lbhm", *words.split(), "--help", **alone).stdout.startswith(f"Usage: lbhm {words} [OPTIONS]")
    done = person("lbhm", "doctor", "--json", "doctor.json", **alone)
    assert "not installed: typer" in done.stdout
    assert "lbhm.doctor/1" in person("cat", "doctor.json").stdout


def test_a_missing_package_is_a_sentence_with_its_remedy(person, tree, bare):
    python = bare
    said = person("lbhm", "policies", status=2, LBHM_PYTHON=str(python)).stderr
    assert said.startswith(f"lbhm: {python} has no package typer; install what lbhm needs: {python} -m pip install -r ")
    assert (tree / "share/lbhm/requirements.txt").is_file() and "share/lbhm/requirements.txt" in said
    assert "clang version 19" in person("lbhm", "cc", "--version", LBHM_PYTHON=str(python)).stdout


def test_a_missing_python_is_a_sentence(person):
    assert "name one in LBHM_PYTHON" in person("lbhm", "policies", status=2, LBHM_PYTHON="python-of-nobody").stderr


@needs("bash")
def test_bash_completes(person, tree):
    file = tree / "share/bash-completion/completions/lbhm"
    ask = 'source "$0"; COMP_WORDS=(lbhm comp); COMP_CWORD=1; _lbhm_completion lbhm; echo "${COMPREPLY[@]}"'
    assert person("bash", "-c", ask, file).stdout == "compare\n"


def test_zsh_and_fish_find_their_files(tree):
    assert (tree / "share/zsh/site-functions/_lbhm").read_text().startswith("#compdef lbhm\n")
    assert "--command lbhm" in (tree / "share/fish/vendor_completions.d/lbhm.fish").read_text()


@needs("man")
def test_the_man_page(person, tree):
    done = person("man", "--warnings", "-l", tree / "share/man/man1/lbhm.1", MANWIDTH="120", LC_ALL="C")
    assert done.stderr == ""
    for name in ("run", "compare", "objects", "machine list", "cc", "doctor", "train"):
        assert f"lbhm {name} [OPTIONS]" in done.stdout
    assert "--fast SHARE|BYTES" in done.stdout


MODULES = """
proc module-whatis words {}
proc conflict name {}
proc prepend-path {name value} { puts "$name=$value" }
set ModulesCurrentModulefile [lindex $argv 0]
source $ModulesCurrentModulefile
"""


@needs("tclsh")
def test_the_module_file_finds_its_tree(person, tree):
    person.write("modules.tcl", MODULES)
    version = (tree / "share/lbhm/version").read_text().strip()
    lines = person("tclsh", "modules.tcl", tree / "share/modulefiles/lbhm" / version).stdout.splitlines()
    found = dict(line.split("=", 1) for line in lines)
    assert found["PATH"] == f"{tree}/bin"
    assert all(Path(folder).is_dir() for folder in found.values())


MODULE_INIT = Path("/usr/share/modules/init/bash")


@pytest.mark.skipif(not MODULE_INIT.is_file(), reason="environment-modules is not installed")
def test_module_load(person, tree):
    """As docs/site.md has it; man follows PATH."""
    load = f"source {MODULE_INIT}; module use {tree}/share/modulefiles; module load lbhm; "
    ask = load + "lbhm --version; man -w lbhm; pkg-config --modversion lbhm"
    version = (tree / "share/lbhm/version").read_text().strip()
    shown = person("bash", "-c", ask, PATH="/usr/bin:/bin").stdout
    assert shown == f"lbhm {version}\n{tree}/share/man/man1/lbhm.1\n{version}\n"


@needs("man")
def test_man_lbhm(person, tree):
    assert person("man", "-w", "lbhm").stdout == f"{tree}/share/man/man1/lbhm.1\n"


@pytest.mark.source
@needs("dpkg-deb")
def test_the_debian_package_with_a_venv_of_the_user(tmp_path, person):
    command = ["cpack", "-G", "DEB", "-B", tmp_path, "--config", BUILD / "CPackConfig.cmake"]
    subprocess.run(command, check=True, capture_output=True)
    (package,) = tmp_path.glob("lbhm_*_*.deb")
    subprocess.run(["dpkg-deb", "-x", package, person.home / "system"], check=True)
    (person.home / "data/lbhm").mkdir(parents=True)
    (person.home / "data/lbhm/venv").symlink_to(person.tree / "lib/lbhm/venv")
    shown = person("system/usr/bin/lbhm", "cflags", XDG_DATA_HOME=str(person.home / "data")).stdout
    assert f"-fpass-plugin={person.home}/system/usr/lib/liblbhm-patterns.so" in shown


@pytest.mark.source
def test_it_is_configured_without_what_applications_need(tmp_path):
    options = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("Eigen3", "CLI11", "GTest", "benchmark")]
    command = ["cmake", "--preset", "release", "-B", tmp_path, "-DLBHM_APPS=OFF", *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    asked = subprocess.run(["ninja", "-C", tmp_path, "-t", "targets", "all"], capture_output=True, text=True).stdout
    assert "liblbhm.so" in asked and "spgemm" not in asked and "corpus" not in asked
