// Why a page stayed where it was, for people.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/machine/machine.h"

namespace lbhm::migration {

/// One sentence about a page that was to go to `to` and did not, because of `status`; `tries`: how often it was asked.
std::string failure_sentence(const Topology& topology, std::uintptr_t page, TierId to, PageStatus status,
                             unsigned tries);

}  // namespace lbhm::migration
