// The host as it is: one tier, nothing to place. Lanes are timed by the time-stamp counter.
#pragma once

#include <memory>

#include "lbhm/machine.h"

namespace lbhm {

std::unique_ptr<Machine> make_host_machine();

}  // namespace lbhm
