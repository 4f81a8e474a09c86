// TieredMemory on a computer whose kernel is a fake.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "runtime/host/tiered_memory.h"
#include "tests/runtime/host/fake_kernel.h"

namespace lbhm::host {

inline constexpr TierId fast(0), slow(1);
inline constexpr std::uint64_t page = 4096;
inline constexpr TierId fast_first[] = {fast, slow}, slow_first[] = {slow, fast};

/// Two sockets, each with a fast node (2, 3) and a slow one (0, 1); calls of the kernel are answered by a fake.
class Computer {
 public:
  explicit Computer(Bytes fast_capacity, std::vector<std::vector<int>> tiers = {{2, 3}, {0, 1}},
                    TieredMemoryOptions options = {}) {
    for (int node = 0; node < 4; ++node) kernel.room[node] = 1'000'000;
    options.nodes = {{.id = 0, .has_cpus = true, .distances = {{0, 10}, {1, 21}, {2, 13}, {3, 23}}},
                     {.id = 1, .has_cpus = true, .distances = {{0, 21}, {1, 10}, {2, 23}, {3, 13}}},
                     {.id = 2, .distances = {{0, 13}, {1, 23}, {2, 10}, {3, 23}}},
                     {.id = 3, .distances = {{0, 23}, {1, 13}, {2, 23}, {3, 10}}}};
    for (const auto& nodes : tiers) options.tiers.push_back({.nodes = nodes, .tier = {}});
    options.tiers[0].tier.capacity = fast_capacity;
    options.mover.call = kernel.call();
    std::string why;
    options.ledger = Ledger::open("", "", why);
    options.place = [this](std::uintptr_t address, Bytes bytes, std::span<const int> nodes, Spread) {
      if (!refusal.ok()) return refusal;
      for (std::uintptr_t at = address; at < address + bytes.value; at += page) {
        promised[at] = nodes.front();
        kernel.pages.try_emplace(at);
      }
      return Status();
    };
    memory = std::make_unique<TieredMemory>(std::move(options));
  }

  /// The program writes to pages that nobody has written to.
  void touch(std::uintptr_t address, std::size_t pages, int node = -1) {
    for (std::size_t i = 0; i < pages; ++i) {
      const std::uintptr_t at = address + i * page;
      kernel.pages[at].node = node >= 0 ? node : promised.at(at);
    }
  }

  std::vector<PageStatus> move(std::uintptr_t address, std::size_t pages, TierId to) {
    std::vector<std::uintptr_t> list(pages);
    for (std::size_t i = 0; i < pages; ++i) list[i] = address + i * page;
    std::vector<PageStatus> out(pages);
    memory->move(list, to, out);
    return out;
  }

  std::vector<TierId> where(std::uintptr_t address, std::size_t pages) {
    std::vector<std::uintptr_t> list(pages);
    for (std::size_t i = 0; i < pages; ++i) list[i] = address + i * page;
    std::vector<TierId> out(pages);
    memory->where(list, out);
    return out;
  }

  std::uintptr_t object(std::size_t pages, Bytes alignment = Bytes(page)) {
    const auto got = memory->reserve(Bytes(pages * page), alignment);
    return got ? reinterpret_cast<std::uintptr_t>(*got) : 0;
  }

  FakeKernel kernel;
  std::map<std::uintptr_t, int> promised;
  Status refusal;
  std::unique_ptr<TieredMemory> memory;
};

}  // namespace lbhm::host
