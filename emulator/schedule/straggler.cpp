#include "emulator/schedule/straggler.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <new>

#include "runtime/own_memory/inside.h"

namespace lbhm::emulator {

std::string place_name(const void* code) {
  Dl_info info{};
  link_map* object = nullptr;
  if (code == nullptr || dladdr1(code, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return {};
  // A return address points behind the call, maybe behind the function.
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(code) - 1 - object->l_addr;
  std::array<char, 2 * sizeof(offset)> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), offset, 16).ptr;
  const std::string function = info.dli_sname != nullptr ? std::string(info.dli_sname) + " in " : "";
  return function + info.dli_fname + "+0x" + std::string(digits.data(), end);
}

void say_others_wait(const void* code, long long seconds) try {
  const Inside here;
  const std::string place = place_name(code);
  const std::string where = place.empty() ? "" : ", last seen at " + place + " (addr2line -fe tells the line)";
  const std::string line =
      "lbhm: for " + std::to_string(seconds) + " s all other threads have been waiting for one" + where +
      ": it may look at memory in a loop, wait by a call that the emulated machine does not know, or run code without "
      "the plugin. It is let go soon, but times say little then: make what it looks at atomic (acquire) or volatile, "
      "or "
      "let it wait by OpenMP, C++ or POSIX\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
} catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): it goes on without

}  // namespace lbhm::emulator
