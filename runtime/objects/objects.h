// Door of runtime/objects: which address belongs to which managed object.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// Where a program gets an object from, the same in every run: a name that the user gave, the functions that called the
/// allocator, or a variable of a module. 0: unknown.
struct SiteId {
  std::uint64_t value = 0;
  auto operator<=>(const SiteId&) const = default;
};

/// The site of all objects of this name.
SiteId site_of_name(std::string_view name);
inline constexpr unsigned deepest_site = 24;
/// The calls that make a site, innermost first.
struct CallsOnStack {
  struct Call {
    std::uintptr_t at;  ///< where the return address stands
    std::uintptr_t address;
  };
  int count = 0;
  bool readable = true;    ///< false: they do not stand where they are expected
  bool of_system = false;  ///< they begin in system code
  std::array<Call, deepest_site> calls;
};
/// An offset in a program or library.
struct CodePlace {
  std::string_view file{};  ///< lives as long as the library; empty: the program
  std::uintptr_t offset = 0;

  bool known() const { return offset != 0; }
  std::string text() const;  ///< "program+0x1a2b"
};
/// The site of who calls us now: a hash of (build-id of the module, offset) of the return addresses from the first
/// outside of LB-HM to the last before libc or the OpenMP runtime, `deepest_site` at most. The thread and what it did
/// before do not matter. Takes some 40 ns a frame; no lock of ours. All three are remembered in words
/// (known_sites.h). `place`: becomes where that is, the first of those addresses that is not in the runtime of C++ or
/// Fortran, which asks for others.
SiteId site_of_caller(CodePlace* place = nullptr, CallsOnStack* calls = nullptr);
/// `code` is of LB-HM, libc, the loader or an OpenMP runtime: what it asks for is not the program's. No lock, no
/// allocation.
bool is_system_code(const void* code);
/// The site of the variable at `address`; unknown if no module holds it.
SiteId site_of_variable(const void* address);

/// A managed allocation.
struct Object {
  ObjectId id;
  std::uintptr_t address = 0;
  Bytes bytes;
  std::string name;  ///< given by the user, may be empty
  bool migratable = true;
  std::optional<PatternKind> pattern{};  ///< what the user said of it
  TierId begins_in = no_tier;            ///< likewise, of where it begins; no_tier: nothing
  Sensitivity sensitivity = Sensitivity::none;
  std::optional<std::uint32_t> group{};
  SiteId site{};
  std::uint64_t nth = 0;  ///< of its site, from 0, in the order of allocations
  bool variable = false;  ///< a variable of a module, with the pages that it shares with smaller ones: nobody frees it
  /// In virtual time, where lanes race for their turns: the lane that asked for it, plus one. It numbers its objects by
  /// itself, from racing_lane << 32 on. 0: it came in the order of the program.
  std::uint32_t racing_lane = 0;
  Bytes front{};  ///< mapped in front of it (reserve_behind)
};

/// All managed objects. Every call may come from any thread; find() takes no lock that a writer holds for long.
/// add, remove and find cost O(log n) or better in the number of objects.
class ObjectRegistry {
 public:
  ObjectRegistry();
  ~ObjectRegistry();
  ObjectRegistry(const ObjectRegistry&) = delete;
  ObjectRegistry& operator=(const ObjectRegistry&) = delete;

  /// Adds the object; id and nth are given here, but for an object that takes the place of another one, whose `nth` it
  /// keeps. Errors: invalid_argument if the range is empty or overlaps an object that is there.
  Result<Object> add(Object object, std::optional<std::uint64_t> nth = {});
  /// Forgets the object that begins at `address` and returns it; nothing if there is none.
  std::optional<Object> remove(std::uintptr_t address);
  /// The object that holds `address`.
  std::optional<Object> find(std::uintptr_t address) const;
  /// The first object, by address, that has a byte of these.
  std::optional<Object> find_any(std::uintptr_t address, Bytes bytes) const;
  /// All objects, by address.
  std::vector<Object> all() const;
  bool empty() const;
  /// Changes with every add and remove.
  std::uint64_t version() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lbhm
