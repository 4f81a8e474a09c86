#include "libomp-ext/start/reductions.h"

#include <cstdlib>

#include "lbhm/environment.h"

namespace lbhm::openmp {
namespace {

constexpr const char* setting = "KMP_DETERMINISTIC_REDUCTION";
bool set = false;

}  // namespace

void fix_order_of_reductions() {
  if (environment(setting) != nullptr || environment("KMP_FORCE_REDUCTION") != nullptr) return;
  set = setenv(setting, "true", 0) == 0;
}

void forget_order_of_reductions() {
  if (set) unsetenv(setting);
  set = false;
}

}  // namespace lbhm::openmp
