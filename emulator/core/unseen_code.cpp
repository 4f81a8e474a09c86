#include "emulator/core/unseen_code.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <vector>

namespace lbhm::emulator {
namespace {

constexpr double worth_a_remark = 0.05;             // of the time that passed in the program
constexpr std::uint64_t fewest_milliseconds = 100;  // 25 ticks of a kernel with 250 Hz: less could be chance
constexpr std::size_t named_files = 4;
constexpr std::uint64_t accesses_a_millisecond = 1'000'000;

constinit std::array<std::atomic<std::uintptr_t>, 256> instrumented{};

bool is_instrumented(std::uintptr_t object) {
  return std::ranges::any_of(instrumented, [=](const auto& known) { return known.load() == object; });
}

void keep_loaded(const void* code) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return;
  const char* file = found.dlfo_link_map->l_name;
  if (file[0] != '\0') dlopen(file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// What the program uses to run in parallel or in virtual time is no part of it.
bool is_runtime(const TimeSamples& sampled) {
  static const std::uintptr_t ours = object_of(reinterpret_cast<const void*>(&unseen_code_remark));
  const std::string_view file = file_name(sampled.file);
  return sampled.object == ours || file.starts_with("libomp") || file.starts_with("libiomp5") ||
         file.starts_with("ld-linux") || file.starts_with("linux-vdso");
}

std::string name_of(const TimeSamples& sampled) {
  if (!sampled.file.empty()) return std::string(file_name(sampled.file));
  return sampled.object == 0 ? "code made at run time" : "the program itself or a library that was unloaded";
}

std::string listed(std::vector<TimeSamples> unseen) {
  std::ranges::sort(unseen, std::ranges::greater{}, &TimeSamples::milliseconds);
  std::string text;
  for (std::size_t i = 0; i < std::min(unseen.size(), named_files); ++i)
    text += (i == 0 ? "" : ", ") + name_of(unseen[i]) + " (" + std::to_string(unseen[i].milliseconds) + " ms)";
  return unseen.size() > named_files ? text + ", others" : text;
}

}  // namespace

void note_instrumented_code(const void* code) {
  const std::uintptr_t object = object_of(code);
  if (object == 0) return;
  for (auto& known : instrumented) {
    std::uintptr_t expected = 0;
    if (known.compare_exchange_strong(expected, object)) return keep_loaded(code);
    if (expected == object) return;
  }
}

std::string unseen_code_remark(std::span<const TimeSamples> samples) {
  std::uint64_t seen = 0;
  std::uint64_t unseen = 0;
  std::vector<TimeSamples> others;
  for (const TimeSamples& sampled : samples) {
    if (is_runtime(sampled)) continue;
    if (is_instrumented(sampled.object)) {
      seen += sampled.milliseconds;
    } else {
      unseen += sampled.milliseconds;
      others.push_back(sampled);
    }
  }
  const bool worth = static_cast<double>(unseen) > worth_a_remark * static_cast<double>(seen + unseen);
  if (!worth || unseen < fewest_milliseconds) return {};
  return "about " + std::to_string(unseen * accesses_a_millisecond) +
         " accesses were not seen: " + std::to_string(unseen) + " ms of " + std::to_string(seen + unseen) +
         " ms of processor time passed in code that was not built with the plugin: " + listed(std::move(others)) +
         "; build it with the plugin too, if it is yours (an access a nanosecond is assumed)";
}

}  // namespace lbhm::emulator
