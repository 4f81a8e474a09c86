// CoreModel::run() for the instruction sets that matter to it: the rows of caches are searched and shifted as vectors.
//
// All versions count in whole numbers and give the same result to the bit.
#include "emulator/core/core_model_path.h"

namespace lbhm::emulator {

std::size_t CoreModel::run(std::span<const std::uint64_t> entries, Picoseconds until) {
#ifdef __x86_64__
  static const bool avx512 = __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
  static const bool avx2 = __builtin_cpu_supports("avx2");
  if (avx512) return run_avx512(entries, until);
  if (avx2) return run_avx2(entries, until);
#endif
  return run_plain(entries, until);
}

std::size_t CoreModel::run_plain(std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] std::size_t CoreModel::run_avx2(std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}

[[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]] std::size_t CoreModel::run_avx512(
    std::span<const std::uint64_t> entries, Picoseconds until) {
  return run_with(entries, until);
}
#endif

}  // namespace lbhm::emulator
