// Values of single pages.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

namespace lbhm::placement {

/// By address. Pages that lie side by side have their values side by side, so that going through all of them costs some
/// nanoseconds a page; a value keeps its place until it is erased.
template <class T>
class ByPage {
 public:
  /// The value of the page, a new one if there was none, and whether it is new.
  std::pair<T*, bool> try_emplace(std::uintptr_t address) {
    Block& block = blocks_[address / block_bytes];
    const unsigned at = address % block_bytes / page;
    const bool fresh = (block.used >> at & 1) == 0;
    if (fresh) block.used |= std::uint64_t{1} << at, block.values[at] = {};
    return {&block.values[at], fresh};
  }

  /// visit(address, value) for pages in [begin, end), in order.
  template <class Visit>
  void visit(std::uintptr_t begin, std::uintptr_t end, Visit visit) const {
    for (auto block = blocks_.lower_bound(begin / block_bytes); block != blocks_.end(); ++block) {
      const std::uintptr_t first = block->first * block_bytes;
      if (first >= end) break;
      for_each(pages_in(*block, begin, end), [&](unsigned at) { visit(first + at * page, block->second.values[at]); });
    }
  }

  /// Erases those pages in [begin, end) for which gone(address, value), in order.
  template <class Gone>
  void erase_if(std::uintptr_t begin, std::uintptr_t end, Gone gone) {
    for (auto block = blocks_.lower_bound(begin / block_bytes); block != blocks_.end();) {
      const std::uintptr_t first = block->first * block_bytes;
      if (first >= end) break;
      auto& [used, values] = block->second;
      for_each(pages_in(*block, begin, end), [&](unsigned at) {
        if (gone(first + at * page, values[at])) used &= ~(std::uint64_t{1} << at);
      });
      block = used == 0 ? blocks_.erase(block) : std::next(block);
    }
  }

 private:
  static constexpr std::uintptr_t page = 4096;  // of the smallest kind
  static constexpr unsigned block_pages = 64;
  static constexpr std::uintptr_t block_bytes = page * block_pages;
  struct Block {
    std::uint64_t used = 0;  ///< a bit each
    std::array<T, block_pages> values{};
  };
  using Blocks = std::map<std::uintptr_t, Block>;  // by number

  static std::uint64_t pages_in(const typename Blocks::value_type& block, std::uintptr_t begin, std::uintptr_t end) {
    const std::uintptr_t first = block.first * block_bytes;
    const auto from = [&](std::uintptr_t address) {  // the bits of pages that begin there or later
      const std::uintptr_t before = address > first ? (address - first - 1) / page + 1 : 0;
      return before < block_pages ? ~std::uint64_t{0} << before : 0;
    };
    return block.second.used & from(begin) & ~from(end);
  }
  template <class Each>
  static void for_each(std::uint64_t pages, Each each) {
    for (; pages != 0; pages &= pages - 1) each(static_cast<unsigned>(std::countr_zero(pages)));
  }

  Blocks blocks_;
};

}  // namespace lbhm::placement
