"""Is a setting that the runtime refuses said by lbhm before the program runs, and by the runtime alone without lbhm?"""

import os
import subprocess

import pytest

from .conftest import BUILD, ROOT, program

# By what cannot be: its parts of the sentence; the remedy is among them.
WRONG = {
    "LBHM_FIND_PHASES=maybe": ("off, on or regions", "correct it or unset it"),
    "LBHM_HEAP=banana": ("auto, mimalloc, memkind or none", "correct it or unset it"),
    "LBHM_SAMPLE_PERIOD=0": ("a whole number above 0",),
    "LBHM_MANAGED_MINIMUM=4KB": ("a number of bytes",),
    "LBHM_MEMORY_MODE=yes": ("on or off",),
    "LBHM_SCALING=linear": ("sizes or cosine",),
    "LBHM_BASE_PROFILE=none": ("samples or bits",),
    "LBHM_FAST_SHARE=2": ("a number from 0 to 1",),
    "LBHM_PACE=0": ("a number from 0.001 to 1000",),
    "LBHM_ALLOCATION_STRATEGY=any": ("traits, first-come, described or patterns",),
    "LBHM_SICM_CHOOSER=any": ("thermos, hotset or knapsack",),
    "LBHM_BLOCKS=1": ("on or off",),
    "LBHM_TOUCH_PERIOD=-1": ("a whole number above 0",),
    "LBHM_SPREAD=wide": ("nearest, bind, interleave or weighted",),
    "LBHM_HUGE_PAGES=always": ("kernel, on or off",),
    "LBHM_HEAP_MINIMUM=1": ("from 4K to 1G",),
    "LBHM_ACCESSED=no": ("auto, idle, damon, faults or written",),
    "LBHM_MOVE_TIME=-1": ("0 for no limit",),
    "LBHM_CLOCK_BEGIN=yesterday": ("seconds since 1970",),
    "LBHM_WITHOUT=brakes": ("has no part 'brakes'",),
    "LBHM_PLACEMENT=/nodir": ("cannot be read", "make it with lbhm optimize"),
    "LBHM_MODEL=/nodir": ("cannot be read", "lbhm train", "LBHM_MODEL=analytic"),
    "LBHM_PATTERNS=/nodir": ("cannot be read", "lbhm patterns"),
    "LBHM_ALPHA=/nodir": ("cannot be read", "lbhm machine alpha"),
    "LBHM_PROFILE=/nodir": ("cannot be read", "lbhm profile"),
    "LBHM_PAGE_COUNTS=/nodir/x": ("the file cannot be made", "a folder"),
}
ON_HOSTS = {"LBHM_TIERS=x": ("'x' is no list of nodes", "or unset it"), "LBHM_MODEL=/nodir": ("lbhm train",)}


def ended(words: list, given: str) -> subprocess.CompletedProcess:
    name, _, value = given.partition("=")
    environment = os.environ | {"LBHM_BUILD": str(BUILD), name: value}
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize(
    ("machine", "given"), [*(("optane", given) for given in WRONG), *(("host", given) for given in ON_HOSTS)]
)
def test_lbhm_refuses_it_with_one_sentence_before_anything_runs(machine, given):
    done = ended([ROOT / "lbhm", "run", "--machine", machine, "--", program("two_blocks")], given)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"lbhm: {given.partition('=')[0]}")
    for part in (WRONG if machine == "optane" else ON_HOSTS)[given]:
        assert part in done.stderr


@pytest.mark.parametrize("given", ["LBHM_PLACEMENT=/nodir", "LBHM_MODEL=/nodir", "LBHM_PACE=0"])
def test_compare_refuses_it_too(given):
    words = ["compare", "--machine", "optane", "--policies", "lbhm", "--", program("two_blocks")]
    done = ended([ROOT / "lbhm", *words], given)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1 and done.stderr.startswith(f"lbhm: {given.partition('=')[0]}")


@pytest.mark.parametrize("given", ["LBHM_FIND_PHASES=maybe", "LBHM_PLACEMENT=/nodir", "LBHM_MODEL=/nodir"])
def test_without_lbhm_the_program_goes_on(given):
    words = ["env", f"LD_PRELOAD={BUILD}/lib/liblbhm.so", "LBHM_MACHINE=optane", program("two_blocks")]
    alone, done = ended([program("two_blocks")], "LBHM_SEED=1"), ended(words, given)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout)


def test_what_lbhm_recommends_has_an_effect_there():
    """On a host of one memory; --machine is named first, for lbhm itself sets the variable."""
    done = ended([ROOT / "lbhm", "run", "--machine", "host", "--", program("two_blocks")], "LBHM_SEED=1")
    if "the host has one memory" in done.stdout:
        assert "(lbhm run --machine optane; without lbhm LBHM_MACHINE=optane)" in " ".join(done.stdout.split())
    refused = ended([ROOT / "lbhm", "run", "--machine", "host", "--policy", "memory-mode", "--", "true"], "LBHM_SEED=1")
    assert refused.returncode == 2 and "lbhm run --machine optane" in refused.stderr
