"""Do the applications compute the same natively and on the emulated machine, wherever their data lies?"""

import pytest

SMALL = {
    "pic": ["--built-in", "small"],
    "bfs": ["--crawl", "10", "--uniform", "11", "--sources", "3"],
    "tensor": ["--atoms", "2", "--inputs", "4"],
    "dmrg": ["--length", "8", "--dims", "16,32,48"],
    "imbalance": ["--mib", "2", "--kloads", "40", "--rounds", "4"],
}


def last_line(outcome) -> str:
    assert outcome.status == 0, outcome.stderr
    return outcome.stdout.splitlines()[-1]


@pytest.fixture(params=SMALL)
def application(request):
    return request.param


def test_emulated_results_are_the_native_ones(runner, application):
    arguments = SMALL[application]
    native = last_line(runner.run(application, *arguments, library=None))
    assert native.startswith("checksum: 0x")
    for policy in ("slow-only", "first-touch", "merchandiser", "merchandiser-once"):
        outcome = runner.run(f"{application}-emu", *arguments, machine="optane", policy=policy, fast_capacity="2M")
        assert last_line(outcome) == native, policy
        assert len(outcome.report["plans"]) > 0 or policy != "merchandiser-once"


def test_results_do_not_depend_on_the_number_of_threads(runner, application):
    arguments = SMALL[application]
    one = runner.run(application, *arguments, library=None, threads=1)
    twelve = runner.run(application, *arguments, library=None, threads=12)
    assert last_line(one) == last_line(twelve)
