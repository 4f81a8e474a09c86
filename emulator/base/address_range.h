// One stretch of addresses from which all reserved memory comes.
//
// The system would place every mapping for itself, large ones at borders of huge pages, so that the order of objects by
// address, and all that follows from it, would change with address randomisation. Here only the beginning is random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "emulator/base/private_memory.h"

namespace lbhm::emulator {

/// Safe from any thread. Where a block goes depends on the calls so far alone.
class AddressRange {
 public:
  AddressRange();
  ~AddressRange();
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;

  /// Zeroed memory in whole pages; `alignment`: a power of two, at least a page. Null if the host has no memory.
  void* take(std::size_t bytes, std::size_t alignment);
  void give_back(void* address, std::size_t bytes);

 private:
  /// The first address of the lowest hole that is large enough, which is then a hole no more; 0 if there is none.
  std::uintptr_t find(std::size_t bytes, std::size_t alignment);
  void add_hole(std::uintptr_t first, std::uintptr_t last);

  std::mutex lock_;
  void* mapped_;
  std::uintptr_t first_ = 0;
  std::uintptr_t last_ = 0;
  PrivateMap<std::uintptr_t, std::uintptr_t> holes_;  // first -> last
};

}  // namespace lbhm::emulator
