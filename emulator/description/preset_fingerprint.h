// What a machine file says, without its words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lbhm::emulator {

/// Topology::fingerprint of a machine file: 16 hexadecimal digits that depend on every number of it and on its words
/// that choose (the sharing of a cache), not on names, descriptions, sources, or the order and spelling of what it
/// says.
std::string machine_fingerprint(const nlohmann::json& file);

}  // namespace lbhm::emulator
