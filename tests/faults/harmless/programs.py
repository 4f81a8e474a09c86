"""The programs of tests/faults/programs that are compared, with their arguments."""

from __future__ import annotations

from dataclasses import dataclass, field

# The ways in which a program can end: tests/faults/programs/ending.cpp
ENDINGS = (
    "return",
    "exit",
    "_exit",
    "quick_exit",
    "abort",
    "exec",
    "signal",
    "exit-in-region",
    "_exit-in-region",
    "abort-in-region",
    "exec-in-handler",
    "_exit-in-handler",
    "thread-exit",
    "exception",
)
# Of these a run report is left; behind the others nothing of ours may run.
REPORTED = ("return", "exit", "_exit", "quick_exit", "thread-exit")


@dataclass(frozen=True)
class Program:
    name: str
    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict, hash=False)
    fronts: tuple[str, ...] = ()  # empty: all of them
    report: bool = True  # False: it takes away what a report is written with
    ends: bool = True  # False: it ends by itself

    @property
    def title(self) -> str:
        return " ".join([self.name, *(word for word in self.arguments if "/" not in word)])


def small_limits() -> list[Program]:
    names = ("files", "processes", "file-size", "closed-files", "no-input-or-output", "folder", "stack", "umask")
    return [Program("small_limits", (name,), report=False) for name in (*names, "addresses", "data", "next-file")]


PROGRAMS = (
    Program("before_main"),
    Program("blocked_signals"),
    Program("blocks_of_fast_memory"),
    Program("exceptions"),
    Program("fork_in_region"),
    Program("fork_while_allocating"),
    Program("fork_while_regions_run"),
    Program("fork_while_starting"),
    Program("full_memory", ("end",), report=False),
    Program("full_memory", ("regions",), report=False),
    Program("handler_in_region", ("handler",)),
    Program("handler_in_region", ("default",)),
    Program("huge_team", ("1000000",), {"OMP_THREAD_LIMIT": "8"}),
    Program("huge_team", ("100000000",), {"OMP_THREAD_LIMIT": "8"}),
    Program("many_objects"),
    Program("mixed_allocators"),
    Program("nested_teams"),
    Program("openmp_later", ("{plain}/openmp_module.so",), fronts=("plain", "report", "two", "hints"), ends=False),
    Program("one_thread"),
    Program("other_processes"),
    Program("own_fault", report=False, ends=False),
    Program("own_new"),
    Program("past_our_front"),
    Program("reused_memory"),
    Program("short_lives"),
    *small_limits(),
    Program("small_stacks"),
    Program("sparse_growth"),
    Program("threads_come_and_go"),
    Program("waits"),
    Program("write_barrier"),
    Program("wrong_objects"),
)
