// Door of runtime/objects: which address belongs to which managed object.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lbhm/access_pattern.h"
#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm {

/// A managed allocation.
struct Object {
  ObjectId id;
  std::uintptr_t address = 0;
  Bytes bytes;
  std::string name;  ///< given by the user, may be empty
  bool migratable = true;
  std::optional<PatternKind> pattern{};  ///< what the user said of it
};

/// All managed objects. Every call may come from any thread; find() takes no lock that a writer holds for long.
/// add, remove and find cost O(log n) or better in the number of objects.
class ObjectRegistry {
 public:
  ObjectRegistry();
  ~ObjectRegistry();
  ObjectRegistry(const ObjectRegistry&) = delete;
  ObjectRegistry& operator=(const ObjectRegistry&) = delete;

  /// Errors: invalid_argument if the range is empty or overlaps an object that is there.
  Result<ObjectId> add(std::uintptr_t address, Bytes bytes, std::string name, bool migratable,
                       std::optional<PatternKind> pattern = std::nullopt);
  /// Forgets the object that begins at `address` and returns it; nothing if there is none.
  std::optional<Object> remove(std::uintptr_t address);
  /// The object that holds `address`.
  std::optional<Object> find(std::uintptr_t address) const;
  /// All objects, by address.
  std::vector<Object> all() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lbhm
