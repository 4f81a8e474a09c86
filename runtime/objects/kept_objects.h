// Part of the door of runtime/objects: blocks that a program gives back and asks for again.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/objects/objects.h"

namespace lbhm {

/// Objects of blocks of malloc that the program gave back, kept with their pages for the next request of their site and
/// size, as an allocator keeps them: scratch memory of an iteration is the same object in each. What is kept and what
/// is live are together never more than what was live once; those go first whose kind was not seen for longest. Blocks
/// that are asked for once are not kept.
/// Calls from any thread.
class KeptObjects {
 public:
  /// Larger blocks go back to the system at once, as with glibc (mallopt(3), DEFAULT_MMAP_THRESHOLD_MAX).
  static constexpr Bytes largest{std::uint64_t{32} << 20};

  /// The address of a kept object, live from now on: the first in the order of births, so that a sequence of requests
  /// gets the same objects each time. 0: there is none.
  std::uintptr_t take(SiteId site, Bytes bytes);
  /// There is a fresh one, of so many bytes. Returns the addresses of kept ones that are to go for it.
  std::vector<std::uintptr_t> born(Bytes bytes);
  /// The program has given it back. False: it is to go.
  bool keep(const Object& object);
  /// The program has given back so many bytes, and nobody keeps them.
  void gone(Bytes bytes);

 private:
  using Kind = std::pair<SiteId, Bytes>;
  struct Place {
    bool given_back = false;                       ///< once at least
    bool repeats = false;                          ///< and then asked for again
    std::uint64_t last_given_back = 0;             ///< counts them all
    std::map<std::uint64_t, std::uintptr_t> kept;  ///< addresses by Object::nth
  };

  using Places = std::map<Kind, Place>;

  /// Takes one of the kept objects out of its place.
  std::uintptr_t remove(Places::value_type& place, std::map<std::uint64_t, std::uintptr_t>::iterator object);

  std::mutex mutex_;
  Places places_;
  std::map<std::uint64_t, Places::value_type*> idle_;  ///< places that keep something, by Place::last_given_back
  std::uint64_t given_back_ = 0;
  Bytes live_, kept_, most_live_;
};

}  // namespace lbhm
