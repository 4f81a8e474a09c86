"""Spack's recipe of LB-HM, for Spack 1.0 and newer: a package `lbhm` of a repository of yours, then in LB-HM's source
`spack dev-build lbhm@main`."""

from spack.package import (
    default_args,
    depends_on,
    join_path,
    license,
    variant,
    version,
)
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Lbhm(CMakePackage):
    """Load-balance-aware data placement for OpenMP on machines with several memories."""

    license("Apache-2.0 WITH LLVM-exception")
    version("main", branch="main")

    variant("apps", default=False, description="Build the applications and the training programs")
    variant("hwloc", default=True, description="Find the memory tiers of real machines by hwloc")
    variant("papi", default=True, description="Count hardware events on real machines")
    variant("memkind", default=False, description="Divide memory tiers into small objects by memkind")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    # The plugins are loaded into this compiler: it is needed wherever programs are built for the emulated machine.
    depends_on("llvm@19 +clang openmp=runtime", type=("build", "link", "run"))
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("numactl", type=("link", "run"))
    depends_on("eigen@3.4:", when="+apps", type="build")
    depends_on("cli11@2.1:", when="+apps", type="build")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("papi@7:", when="+papi")
    depends_on("memkind", when="+memkind")

    with default_args(type=("build", "run")):  # at build time for the man page, too
        depends_on("python@3.11:")
        depends_on("py-typer@0.16:")
        depends_on("py-rich@13.7:")
        depends_on("py-pyelftools@0.29:")
        depends_on("py-jsonschema@4.19:")
        depends_on("py-scipy@1.11:")

    def cmake_args(self):
        llvm = self.spec["llvm"].prefix
        return [
            self.define("CMAKE_C_COMPILER", llvm.bin.clang),
            self.define("CMAKE_CXX_COMPILER", join_path(llvm.bin, "clang++")),
            self.define("LLVM_DIR", llvm.lib.cmake.llvm),
            self.define_from_variant("LBHM_APPS", "apps"),
            self.define("LBHM_TESTS", False),
            self.define("LBHM_BENCH", False),
            self.define("LBHM_BUILD_PYTHON", self.spec["python"].command.path),
        ]

    def setup_run_environment(self, env):
        llvm = self.spec["llvm"].prefix
        env.set("LBHM_PYTHON", self.spec["python"].command.path)
        env.set("LBHM_CC", llvm.bin.clang)
        env.set("LBHM_CXX", join_path(llvm.bin, "clang++"))
