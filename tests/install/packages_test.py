"""Do the recipes of packages say what the documentation and the build say, and does the wheel work?"""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
if not PACKAGING.is_dir():
    pytest.skip("there is no source here", allow_module_level=True)
VERSION = re.search(r"^project\(lbhm VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(), re.M)[1]
CONTAINER = (PACKAGING / "Containerfile").read_text()
CMAKE = "".join(path.read_text() for path in [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])


def requirements() -> dict[str, str]:
    """Of the command: the oldest version by name."""
    return dict(re.findall(r"^([\w-]+)>=([\d.]+)", (ROOT / "tools/requirements.txt").read_text(), re.M))


def test_one_version():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()
    assert re.search(rf"^## {re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert f"v{VERSION}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.fixture
def wheel(place):
    subprocess.run([PACKAGING / "make-wheel", place], check=True, capture_output=True)
    return next(place.glob(f"lbhm-{VERSION}-*.whl"))


def test_the_wheel(wheel, person, place):
    """Installed beside the packages that it needs, it is run by somebody who may not write there."""
    venv = place / "wheel-venv"
    subprocess.run(["cp", "-r", person.tree / "lib/lbhm/venv", venv], check=True)
    subprocess.run(["chmod", "-R", "u+w", venv], check=True)
    install = ["-m", "pip", "--python", venv / "bin/python", "install", "--no-deps", "--no-index", "--quiet", wheel]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    person.write("app.c", (ROOT / "tests/docs/user/smooth.c").read_text())
    command = venv / "bin/lbhm"
    assert person(venv / "bin/python", command, "--version").stdout == f"lbhm {VERSION}\n"
    person(venv / "bin/python", command, "cc", "--emulate", "app.c", "-o", "app")
    done = person(venv / "bin/python", command, "compare", "--threads", "2", "--fast", "64K", "--", "./app")
    assert "merchandiser" in done.stdout


def test_the_container_builds_as_the_documentation_says():
    listed = (ROOT / "docs/install.md").read_text().replace(" -DLBHM_TESTS=OFF -DLBHM_BENCH=OFF", "")
    for command in re.findall(r"^    ((?:cmake|python3|/opt/lbhm/)\S* .*?)(?: {2,}#.*)?$", listed, re.M):
        words = command.split()
        assert all(word in CONTAINER for word in words), command
    assert "scripts/install-packages build" in CONTAINER and "scripts/make-venv" in CONTAINER
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINER, re.M)
    assert all((ROOT / name).exists() for line in copied for name in line.split())


def test_the_options_of_recipes_are_those_of_the_build():
    spack = (PACKAGING / "spack/package.py").read_text()
    for name in set(re.findall(r"\bLBHM_[A-Z_]+\b", spack + CONTAINER)):
        compilers = (ROOT / "tools/lbhm/program/compiler_wrapper.py").read_text()
        known = CMAKE + (PACKAGING / "lbhm.in").read_text() + compilers
        assert name in known, name


def test_the_spack_recipe(monkeypatch):
    """It is run with what stands in for Spack: it asks for what the command needs, no older. Spack has
    no jsonschema-rs, without which the command is slower."""
    asked: list[str] = []
    spack, builtin = types.ModuleType("spack.package"), types.ModuleType("spack_repo.builtin.build_systems.cmake")
    for name in ("license", "variant", "version", "join_path"):
        setattr(spack, name, lambda *_, **__: None)
    spack.depends_on = lambda what, **_: asked.append(what)
    spack.default_args = lambda **_: contextlib.nullcontext()
    builtin.CMakePackage, builtin.generator = object, lambda *_: None
    for module in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        monkeypatch.setitem(sys.modules, module, types.ModuleType(module))
    monkeypatch.setitem(sys.modules, "spack.package", spack)
    monkeypatch.setitem(sys.modules, "spack_repo.builtin.build_systems.cmake", builtin)
    recipe: dict = {}
    exec(compile((PACKAGING / "spack/package.py").read_text(), "package.py", "exec"), recipe)
    assert {"cmake_args", "setup_run_environment"} <= set(vars(recipe["Lbhm"]))
    assert {f"py-{name}@{version}:" for name, version in requirements().items() if name != "jsonschema-rs"} <= set(
        asked
    )
