"""What programs bring into their process beside LB-HM: sanitizers, allocators and other preloads, valgrind."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Host:
    """How a program is built, and started. `preloads` come before or behind liblbhm.so; sources are of programs/."""

    name: str
    compiler: str = "clang++-19"
    flags: tuple[str, ...] = ()
    launcher: tuple[str, ...] = ()
    preloads: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    runtime: str = ""  # a sanitizer's own library, which `lbhm run` puts first
    programs: tuple[str, ...] = ("openmp", "serial", "later")

    def __str__(self) -> str:
        return self.name


# A leak of libomp's own (threads that live until the end) is not the question.
ASAN = {"ASAN_OPTIONS": "detect_leaks=0"}
# libomp is not instrumented, and Archer, which would tell of its barriers, is a tool as LB-HM is.
TSAN = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}

CLANG_RUNTIMES = "/usr/lib/llvm-19/lib/clang/19/lib/linux"
SANITIZERS = (
    Host("clang-address", flags=("-fsanitize=address",), environment=ASAN),
    Host(
        "clang-address-shared",
        flags=("-fsanitize=address", "-shared-libasan", f"-Wl,-rpath,{CLANG_RUNTIMES}"),
        environment=ASAN,
        runtime="libclang_rt.asan-x86_64.so",
    ),
    Host("clang-thread", flags=("-fsanitize=thread",), environment=TSAN),
    Host("clang-undefined", flags=("-fsanitize=undefined",)),
    Host("gcc-address", "g++", ("-fsanitize=address",), environment=ASAN, runtime="libasan.so"),
    Host("gcc-thread", "g++", ("-fsanitize=thread",), environment=TSAN, runtime="libtsan.so", programs=("serial",)),
    Host("gcc-undefined", "g++", ("-fsanitize=undefined",)),
)
ALLOCATORS = tuple(
    Host(name, preloads=(library,))
    for name, library in {
        "jemalloc": "libjemalloc.so.2",
        "tcmalloc-minimal": "libtcmalloc_minimal.so.4",
        "tcmalloc": "libtcmalloc.so.4",
        "mimalloc": "libmimalloc.so.2",
        "tbbmalloc": "libtbbmalloc_proxy.so.2",
    }.items()
)
HEAPTRACK = {"DUMP_HEAPTRACK_OUTPUT": "/dev/null"}
QUIETLY = [word for kind in ("inferior", "thread") for word in ("-ex", f"set print {kind}-events off")]
GDB = ("gdb", "-q", "--batch", *QUIETLY, "-ex", "run", "-ex", "quit $_exitcode", "--args")
OTHERS = (
    Host("profiler", preloads=("libprofiler.so.0",), environment={"CPUPROFILE": "/dev/null"}),
    Host(
        "faketime", preloads=("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",), environment={"FAKETIME": "-1d"}
    ),
    Host("eatmydata", preloads=("libeatmydata.so",)),
    Host("stdbuf", launcher=("stdbuf", "-oL")),
    Host("fakeroot", launcher=("fakeroot",)),
    Host("heaptrack", preloads=("/usr/lib/heaptrack/libheaptrack_preload.so",), environment=HEAPTRACK),
    Host("tracer-of-files", preloads=("in_front.c",)),
    Host("gdb", launcher=GDB, programs=("openmp",)),
    Host(
        "massif",
        launcher=("valgrind", "--tool=massif", "-q", "--massif-out-file=/dev/null", "--log-file=/dev/null"),
        programs=("openmp",),
    ),
    Host(
        "valgrind",
        launcher=("valgrind", "-q", "--error-exitcode=9", "--log-file=/dev/null"),
        programs=("openmp", "later"),  # which is the serial one, and goes on
    ),
)
HOSTS = SANITIZERS + ALLOCATORS + OTHERS
