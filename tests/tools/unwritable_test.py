"""What if the output of the command cannot be written? Never status 1, which says that results differ."""

import subprocess
import sys

import pytest

TRACE = "Traceback"


@pytest.fixture
def shell(lbhm):
    """shell(script): `$lbhm` is the command."""

    def run(script: str, **more: str) -> subprocess.CompletedProcess:
        command = f'lbhm() {{ "{sys.executable}" -m lbhm "$@"; }}; {script}'
        environment = lbhm.environment | more
        return subprocess.run(
            ["bash", "-c", command], cwd=lbhm.programs, env=environment, capture_output=True, text=True
        )

    return run


WORDS = ("policies", "--help", "compare --policies slow-only -- ./good", "run --fast 64K -- ./good")


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(("target", "why"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")])
def test_closed_or_full_is_a_sentence_and_status_74(shell, words, target, why):
    done = shell(f"lbhm {words} {target}")
    assert done.returncode == 74, done.stderr
    assert f"lbhm: the standard output cannot be written to ({why})" in done.stderr
    assert TRACE not in done.stderr


@pytest.mark.parametrize("words", WORDS[:3])
def test_a_pipe_that_nobody_reads_is_silence_and_status_141(shell, words):
    """The reader has gone before the command writes."""
    done = shell(f"mkfifo pipe.$$; exec 3<>pipe.$$ 4>pipe.$$ 3>&-; rm pipe.$$; lbhm {words} >&4")
    assert done.returncode == 141, done.stderr
    assert "cannot be written" not in done.stderr and TRACE not in done.stderr


def test_a_terminal_of_ascii_signs_gets_such(shell):
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = shell("lbhm compare --policies slow-only,lbhm -- ./good", **ascii_only)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii() and "1.00x" in done.stdout


@pytest.mark.parametrize(
    ("words", "status"), [("policies", 0), ("run -- ./absent", 2), ("run --machine host -- ./good", 0)]
)
def test_sentences_that_nobody_wants_change_nothing(shell, words, status):
    """Closed, or in its place a script that a shell reads."""
    assert shell(f"lbhm {words} 2>&-").returncode == status
    assert shell(f"lbhm {words} 2</dev/null").returncode == status


@pytest.mark.parametrize(("words", "status"), [("run -- ./absent", 2), ("run --fast 64K -- ./good", None)])
def test_sentences_that_cannot_be_said_are_never_status_1(shell, words, status):
    """A program's own status stays; what ended well has not."""
    assert shell(f"lbhm {words} 2>/dev/full").returncode == (status or 74)
    gone = "mkfifo pipe.$$; exec 3<>pipe.$$ 4>pipe.$$ 3>&-; rm pipe.$$"
    assert shell(f"{gone}; lbhm {words} 2>&4").returncode == (status or 141)


def test_no_file_can_be_written(shell):
    done = shell("ulimit -f 0; lbhm run -- ./good")
    assert done.returncode == 74, done.stderr
    assert done.stderr.startswith("lbhm: No usable temporary directory found")
    assert "set TMPDIR" in done.stderr and TRACE not in done.stderr


@pytest.mark.parametrize(("stream", "what"), [("<", "input is read"), (">", "output goes"), ("2>>", "error goes")])
def test_a_result_does_not_take_the_place_of_a_stream(shell, tmp_path, stream, what):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("there\n")
    link.symlink_to(file)
    done = shell(f"lbhm machine list --json {link} {stream}{file}")
    assert done.returncode == 2
    assert f"--json {link}: the standard {what}" in done.stderr + file.read_text()
    assert "lbhm.machine" not in file.read_text()


def test_nor_of_what_a_setting_names(shell, tmp_path):
    (tmp_path / "model.json").touch()
    done = shell(f"lbhm run --json {tmp_path}/model.json -- ./good", LBHM_MODEL=str(tmp_path / "model.json"))
    assert done.returncode == 2 and "the variable LBHM_MODEL names that file" in done.stderr


@pytest.mark.parametrize("program", ["sh -c 'while echo line; do :; done; kill -PIPE $$'", "yes", "sh -c yes"])
def test_a_program_that_ends_because_nobody_reads_is_silence_too(shell, program):
    done = shell(f"lbhm run --machine host -- {program} | head -1; exit ${{PIPESTATUS[0]}}")
    assert done.returncode == 141
    assert done.stdout in ("line\n", "y\n")
    assert not any(line for line in done.stderr.splitlines() if "SIGPIPE" in line or "cannot be written" in line)


def test_a_signal_of_its_own_is_said(shell):
    done = shell("lbhm run --machine host -- sh -c 'kill -PIPE $$' | cat; exit ${PIPESTATUS[0]}")
    assert done.returncode == 141 and "was ended by SIGPIPE" in done.stderr


@pytest.mark.parametrize("words", ["run -- sh -c true", "compare -- sh -c true", "profile -- sh -c true"])
def test_a_folder_that_is_gone_is_no_full_disk(shell, tmp_path, words):
    gone = tmp_path / "gone"
    done = shell(f"mkdir {gone}; cd {gone}; rmdir {gone}; lbhm {words}")
    assert done.returncode == 2, done.stderr
    assert "room" not in done.stderr and TRACE not in done.stderr
