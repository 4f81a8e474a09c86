// libFuzzer target: whatever the environment says, every setting is within its bounds, or one complaint names the
// variable. The input is the values of the variables in the order of the table, each ended by a zero byte.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/base/settings.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_bytes(const std::string& text) {
  const auto bytes = lbhm::parse_bytes(text);
  if (bytes) {
    require(bytes->value < std::uint64_t{1} << 63);
  } else {
    require(bytes.error().code() == lbhm::StatusCode::invalid_argument);
    require(bytes.error().message().find("'" + text + "'") != std::string::npos);
  }
}

bool names_a_variable(const std::string& sentence) {
  for (const lbhm::Setting& setting : lbhm::settings_table()) {
    if (sentence.starts_with(std::string(setting.environment) + "=")) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  check_bytes(input);

  std::size_t begin = 0;
  for (const lbhm::Setting& setting : lbhm::settings_table()) {
    const std::size_t end = std::min(input.find('\0', begin), input.size());
    setenv(std::string(setting.environment).c_str(), input.substr(begin, end - begin).c_str(), 1);
    begin = std::min(end + 1, input.size());
  }
  const auto settings = lbhm::read_settings();
  if (settings) {
    require(!settings->machine.empty() && !settings->policy.empty());
    require(!settings->fast_capacity || settings->fast_capacity->value > 0);
  } else {
    require(settings.error().code() == lbhm::StatusCode::invalid_argument &&
            names_a_variable(settings.error().message()));
  }
  return 0;
}
