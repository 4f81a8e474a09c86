"""Are lbhm cc, c++ and fc compilers that a build takes for compilers? With a fake one, and in tests/hosts real ones."""

import os

import pytest

COMPILERS = {"cc": "clang-19", "c++": "clang++-19", "fc": "flang-new-19"}
SHOW = "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 7\n"


@pytest.fixture
def fake(lbhm, build, tmp_path):
    """fake(words): what the compilers got, by lbhm with plugins that are there, and compilers that print."""
    for name in COMPILERS.values():
        (tmp_path / name).write_text(SHOW)
        (tmp_path / name).chmod(0o755)
    plugins = [build / "lib" / name for name in ("liblbhm-patterns.so", "liblbhm-plugin.so")]
    for plugin in plugins:
        plugin.touch()

    def run(*words: str, **environment: str):
        done = lbhm(*words, PATH=f"{tmp_path}:{os.environ['PATH']}", **environment)
        return done.stdout.split("|")[:-1], done.returncode

    yield run
    for plugin in plugins:
        plugin.unlink()


@pytest.mark.parametrize("command", COMPILERS)
def test_flags_come_first_and_arguments_are_untouched(fake, lbhm, command):
    arguments = ["-O2", '-DNAME="a b"', "", "--help", "--emulate", "-o", "x", "a file.c", "--", "-"]
    got, status = fake(command, *arguments)
    assert status == 7
    assert got[-len(arguments) :] == arguments
    flags = lbhm("cflags").stdout.split()
    assert [word for word in got[: -len(arguments)] if "no-unused" not in word] == flags
    assert "-fno-omit-frame-pointer" in flags


@pytest.mark.parametrize("command", COMPILERS)
def test_the_first_argument_chooses_the_emulation(fake, lbhm, command):
    got, _ = fake(command, "--emulate", "x.c")
    assert [word for word in got if "no-unused" not in word] == [*lbhm("cflags", "--emulate").stdout.split(), "x.c"]


@pytest.mark.parametrize(("command", "package"), [("cc", "clang-19"), ("c++", "clang-19"), ("fc", "flang-19")])
def test_a_missing_compiler_names_the_package(fake, lbhm, command, package):
    done = lbhm(command, "x.c", PATH="/none")
    assert done.returncode == 127
    compiler = COMPILERS[command]
    assert done.stderr.startswith(
        f"lbhm: lbhm {command}: {compiler} is not in PATH; install it: apt-get install {package}, "
    )


@pytest.mark.parametrize(("command", "variable"), [("cc", "LBHM_CC"), ("c++", "LBHM_CXX"), ("fc", "LBHM_FC")])
def test_another_name_of_the_compiler(fake, tmp_path, command, variable):
    (tmp_path / "renamed").write_text("#!/bin/sh\nprintf 'the other|'\n")
    (tmp_path / "renamed").chmod(0o755)
    assert fake(command, "x.c", **{variable: str(tmp_path / "renamed")}) == (["the other"], 0)


def test_a_missing_plugin_is_named(lbhm):
    done = lbhm("cc", "x.c")
    assert done.returncode == 2
    assert "liblbhm-patterns.so: the plugin is not built here; run ./quickstart" in done.stderr


def test_it_imports_little(fake, lbhm):
    """Thousands of files are compiled. What is imported stands for the time that it takes, which the load changes."""

    def imported(*words: str) -> set[str]:
        shown = lbhm(*words, PATH=os.environ["PATH"], PYTHONPROFILEIMPORTTIME="1").stderr
        return {line.rsplit("|", 1)[1].strip() for line in shown.splitlines() if line.startswith("import time:")}

    compiler, other = imported("cc", "-dumpversion"), imported("version")
    assert "lbhm.program.compiler_wrapper" in compiler
    assert not {"argparse", "json", "subprocess", "lbhm.cli"} & compiler
    assert len(compiler) < len(other) / 2


def test_help_lists_them(lbhm):
    shown = lbhm("--help").stdout
    assert all(f"\n  {command} " in shown for command in COMPILERS)
