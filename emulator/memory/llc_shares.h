// How cores divide a shared last-level cache.
//
// Lines of a cache of all cores that replaces the least recently used one belong, after a while, to the cores about in
// proportion to how often they ask for lines. So a core's share is its part of the uses in the last quanta, each
// counted half as much as the next. Shares change at the ends of quanta only and depend on virtual time alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "emulator/base/private_memory.h"

namespace lbhm::emulator {

class LlcShares {
 public:
  explicit LlcShares(std::uint64_t lines) : lines_(lines) {}

  /// A core used the cache so many times since it last told.
  void use(std::uint64_t core, std::uint64_t count) {
    const std::lock_guard guard(lock_);
    cores_[core].fresh += count;
  }

  /// A core is no more. What it used lately still takes its part until it is forgotten, as one with that of others.
  void retire(std::uint64_t core) {
    const std::lock_guard guard(lock_);
    const auto found = cores_.find(core);
    if (found == cores_.end()) return;
    Share& all = cores_[retired];
    all.fresh += found->second.fresh;
    all.uses += found->second.uses;
    cores_.erase(found);
  }

  /// The quantum is over.
  void divide() {
    const std::lock_guard guard(lock_);
    std::uint64_t sum = 0;
    for (auto& [number, core] : cores_) {
      core.uses = core.uses / 2 + scale * core.fresh;
      core.fresh = 0;
      sum += core.uses;
    }
    // With whole numbers of lines in double precision: exact for caches of any size that fits in memory.
    const double lines_a_use = sum == 0 ? 0 : static_cast<double>(lines_) / static_cast<double>(sum);
    for (auto& [number, core] : cores_) {
      core.lines = sum == 0 ? lines_ : static_cast<std::uint64_t>(static_cast<double>(core.uses) * lines_a_use);
    }
    rounds_.fetch_add(1, std::memory_order_release);
  }

  /// Grows by one with every division.
  std::uint64_t rounds() const { return rounds_.load(std::memory_order_acquire); }
  std::uint64_t lines(std::uint64_t core) {
    const std::lock_guard guard(lock_);
    const auto found = cores_.find(core);
    return found == cores_.end() ? lines_ : found->second.lines;
  }

 private:
  static constexpr std::uint64_t scale = 1024;                 // so that halves of small counts are not lost
  static constexpr std::uint64_t retired = ~std::uint64_t{0};  // stands for cores that are no more
  struct Share {
    std::uint64_t fresh = 0;
    std::uint64_t uses = 0;
    std::uint64_t lines = 0;
  };

  std::mutex lock_;
  const std::uint64_t lines_;
  PrivateMap<std::uint64_t, Share> cores_;
  std::atomic<std::uint64_t> rounds_{0};
};

}  // namespace lbhm::emulator
