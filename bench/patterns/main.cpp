// pattern-kernels NAME SIZE...: runs one kernel on inputs of these sizes (bytes of its main object, with K or M), the
// base input first, and asks LB-HM for a plan before each. Prints JSON: kernel, objects with the pattern that the
// source has, sizes, and a check that depends on the work. `pattern-kernels list`: the kernels that there are.
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>

#include "bench/patterns/pattern_kernel.h"
#include "lbhm/lbhm.h"

namespace {

using namespace patterns;

constexpr std::span<const Entry> (*themes[])(){stream_kernels, strided_kernels, stencil_kernels, random_kernels,
                                               superlinear_kernels};

/// More than the caches of any core hold: what an input's making left there is gone.
constexpr std::size_t flush_bytes = 4 << 20;

const Entry* find(std::string_view name) {
  for (const auto theme : themes) {
    for (const Entry& entry : theme()) {
      if (name == entry.name) return &entry;
    }
  }
  return nullptr;
}

std::optional<std::size_t> bytes_of(std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::size_t least = 4096;  // grids of fewer bytes have no inside
  if (error != std::errc{} || (unit != "" && unit != "K" && unit != "M")) return std::nullopt;
  value <<= unit == "K" ? 10 : unit == "M" ? 20 : 0;
  return value < least ? std::nullopt : std::optional(value);
}

double flush() {
  static const std::vector<double> other(flush_bytes / sizeof(double), 1.0);
  double sum = 0;
  for (const double value : other) sum += value;
  return sum;
}

void configure(const Input& input) {
  std::vector<lbhm_object> objects;
  objects.reserve(input.objects.size());
  for (const Object& object : input.objects) objects.push_back({object.data, object.bytes, object.name});
  if (lbhm_config && !lbhm_config(objects.data(), objects.size()))
    std::fprintf(stderr, "pattern-kernels: not planned: %s\n", lbhm_last_error());
}

int list() {
  for (const auto theme : themes) {
    for (const Entry& entry : theme()) std::puts(entry.name);
  }
  return 0;
}

int refuse(std::string_view what) {
  std::fprintf(stderr, "pattern-kernels: \"%.*s\" is no kernel and no size from 4K\n", static_cast<int>(what.size()),
               what.data());
  std::fputs("Usage: pattern-kernels list | NAME SIZE..., sizes in bytes (K, M)\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "list") return list();
  const Entry* const entry = argc > 2 ? find(argv[1]) : nullptr;
  if (entry == nullptr) return refuse(argc > 1 ? argv[1] : "");
  std::vector<std::size_t> sizes;
  for (int i = 2; i < argc; ++i) {
    const auto bytes = bytes_of(argv[i]);
    if (!bytes) return refuse(argv[i]);
    sizes.push_back(*bytes);
  }
  double check = 0;
  std::vector<Object> objects;
  for (const std::size_t bytes : sizes) {
    const Input input = entry->make(bytes);
    check += flush();
    configure(input);
    check += input.run();
    objects = input.objects;
  }
  std::printf("{\"kernel\": \"%s\", \"check\": %.17g, \"objects\": [", entry->name, check);
  for (const Object& object : objects)
    std::printf("%s{\"name\": \"%s\", \"pattern\": \"%s\"}", &object == objects.data() ? "" : ", ", object.name,
                object.pattern);
  std::puts("]}");
}
