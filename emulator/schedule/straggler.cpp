#include "emulator/schedule/straggler.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "emulator/schedule/code_line.h"
#include "runtime/base/own_folder.h"
#include "runtime/own_memory/inside.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm::emulator {
namespace {

std::string readable(const char* symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

struct Place {
  std::string function, line, file, offset;  ///< `line`: "spin.cpp:12"; all but the last two may be empty
};

void note(void* with, const SourcePlace& found) {
  auto& place = *static_cast<Place*>(with);
  if (found.function != nullptr) place.function = readable(found.function);
  if (found.file != nullptr) place.line = std::string(found.file) + ":" + std::to_string(found.line);
}

/// Null: without liblbhm-dw.so, or the library behind it.
FindCodeLine line_finder() {
  const NoFork whole;
  void* const module = dlopen((own_folder() + "/liblbhm-dw.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  return module != nullptr ? reinterpret_cast<FindCodeLine>(dlsym(module, find_code_line)) : nullptr;
}

Place place_of(const void* code) {
  Dl_info info{};
  link_map* object = nullptr;
  if (code == nullptr || dladdr1(code, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return {};
  // A return address points behind the call, maybe behind the function.
  const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(code) - 1, offset = address - object->l_addr;
  std::array<char, 2 * sizeof(offset)> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), offset, 16).ptr;
  Place place{.function = info.dli_sname != nullptr ? readable(info.dli_sname) : "",
              .line = "",
              .file = info.dli_fname,
              .offset = "0x" + std::string(digits.data(), end)};
  if (const FindCodeLine find = line_finder()) find(address, note, &place);
  return place;
}

}  // namespace

std::string place_name(const void* code) {
  const Place place = place_of(code);
  if (place.file.empty()) return {};
  return (place.function.empty() ? "" : place.function + " in ") +
         (place.line.empty() ? place.file + "+" + place.offset : place.line);
}

void say_others_wait(const void* code, long long seconds) try {
  const Inside here;
  const Place place = place_of(code);
  std::string where;
  if (!place.function.empty()) where = ", last seen in " + place.function;
  if (!place.line.empty()) {
    where += " at " + place.line;
  } else if (!place.file.empty()) {
    where += " (for the line: addr2line -ie " + place.file + " " + place.offset + ")";
  }
  const std::string line =
      "lbhm: for " + std::to_string(seconds) + " s all other threads have been waiting for one" + where +
      ": it looks at memory in a loop that the plugin does not see, or runs long code without the plugin. It is let go "
      "soon, but times say little then: build that code with the plugin, or let it wait by OpenMP, C++ or POSIX\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
} catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): it goes on without

}  // namespace lbhm::emulator
