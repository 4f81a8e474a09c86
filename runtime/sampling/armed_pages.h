// Which pages are armed, and what they were before. Looked up in a signal handler.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/sampling/mapped_array.h"

namespace lbhm::sampling {

/// Why a page is armed; a page may be so for several reasons.
enum class Armed : std::uint8_t { for_hint = 1, for_accessed_bit = 2, for_sample = 4 };

/// A hash table with open addressing; never shrinks. Not locked: its owner does that.
class ArmedPages {
 public:
  struct Entry {
    int protection = 0;    ///< PROT_READ | ... before it was armed
    unsigned reasons = 0;  ///< bits of Armed; 0: not armed
  };
  /// `page`: bytes of a page, 4096 or more.
  explicit ArmedPages(std::size_t page) : page_(page) {}

  /// Makes room for so many more pages. False: no memory, nothing changed.
  bool reserve(std::size_t more);
  Entry find(std::uintptr_t page) const;
  /// Sets the entry of a page; room was reserved, or the page is there.
  void set(std::uintptr_t page, Entry entry);
  std::size_t armed() const { return armed_; }

  std::size_t slots() const { return slots_.size(); }
  /// The page of a slot; 0: none that is armed.
  std::uintptr_t armed_at(std::size_t slot) const;

 private:
  /// Page address with the entry in its low bits; 0: empty.
  using Slot = std::uint64_t;
  std::size_t slot_of(std::uintptr_t page) const;
  void rehash(MappedArray<Slot> slots);

  std::size_t page_;
  MappedArray<Slot> slots_;
  std::size_t used_ = 0;  // slots that are not empty, armed or not
  std::size_t armed_ = 0;
};

}  // namespace lbhm::sampling
