#include "emulator/description/user_machines.h"

#include "runtime/base/environment.h"

namespace lbhm::emulator {

std::filesystem::path user_machines() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* value = environment(name);
    return value == nullptr ? "" : value;
  };
  std::filesystem::path data = variable("XDG_DATA_HOME");
  if (data.empty() && !variable("HOME").empty()) data = variable("HOME") / ".local" / "share";
  return data.empty() ? data : data / "lbhm" / "machines";
}

}  // namespace lbhm::emulator
