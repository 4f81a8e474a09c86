// dlmopen: a library in a namespace of its own has a C library and an OpenMP runtime of its own, too. Nothing of ours
// is in front of them, and they run as without us.
#include <dlfcn.h>

#include <atomic>
#include <cstdio>

#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

constinit lbhm::real::RealFunction<void*(Lmid_t, const char*, int)> real_open("dlmopen");
constinit std::atomic<bool> said{false};

[[gnu::constructor]] void find_open() { lbhm::real::find_all(real_open); }

}  // namespace

/// The loader knows who calls it by the return address: it must stay the caller's. (By another name, for the header's
/// declaration is noexcept, which keeps the compiler from jumping there.)
LBHM_EXPORT void* lbhm_dlmopen(Lmid_t space, const char* path, int mode) asm("dlmopen");

void* lbhm_dlmopen(Lmid_t space, const char* path, int mode) {
  if (space != LM_ID_BASE && lbhm::engine::active() && !said.exchange(true))
    std::fputs(
        "lbhm: the program opens a library in a namespace of its own (dlmopen): LB-HM sees no region and no block of "
        "it; open it by dlopen, if LB-HM is to place its data\n",
        stderr);
  auto* const real = real_open.get();
  [[clang::musttail]] return real(space, path, mode);
}
