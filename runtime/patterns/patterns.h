// Door of runtime/patterns: with which patterns each lane accesses each object.
// From the compiler where the program was built with the plugin (docs/patterns.md), from samples elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// Where a loop nest gets the addresses of some of its accesses from: an array, a row, the head of a list.
struct PatternBase {
  std::string name;      ///< as the source calls it; may be empty
  double frequency = 1;  ///< how often its loop begins for each call of the function, as the compiler guesses
  std::vector<AccessPattern> accesses;  ///< weight: executions for each call of the function, likewise
};

/// What the plugin wrote into the modules of the program, or what the user's file says of them instead.
/// All calls may come from any thread.
class PatternCatalog {
 public:
  PatternCatalog();
  ~PatternCatalog();
  PatternCatalog(const PatternCatalog&) = delete;
  PatternCatalog& operator=(const PatternCatalog&) = delete;

  /// A module's text (schema lbhm.patterns.module/1). What the file says of a module of this id stays.
  /// Errors: malformed, with what is wrong in it; nothing is taken from it then.
  Status add(std::string_view text);
  /// The content of a patterns file (schema lbhm.patterns/1); `name` is for sentences. Errors: as add.
  Status add_file(std::string_view content, const std::string& name);
  /// Null if no module that was added has such a base. Valid as long as the catalog.
  const PatternBase* find(std::uint64_t base) const;
  /// What of the file describes no module that was added: sentences, because the program was built anew since.
  std::vector<std::string> stale() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A lane began the loop of a base so many times, at addresses of one object.
struct NotedBase {
  std::uint64_t base = 0;
  ObjectSlot slot;
  std::uint64_t times = 0;
};

/// The patterns of one object in one lane, the most frequent first; weights add up to 1.
using ObjectPatterns = std::vector<AccessPattern>;

/// By slot, `slots` of them; empty where nothing was noted. Accesses that are alike are one pattern; its weight is how
/// often the loops began times how often the compiler expects the access in them.
std::vector<ObjectPatterns> merge_patterns(const PatternCatalog& catalog, std::span<const NotedBase> notes,
                                           std::size_t slots);

/// One sampled access to an object.
struct SampledAccess {
  std::uint64_t offset = 0;  ///< in the object, bytes
  bool write = false;
};

/// The pattern of one object in one lane from what was sampled of it, in the order of time: for programs that were
/// built without the plugin. Samples are main-memory accesses, so steps below a line cannot be told apart:
///   - most steps between samples go one way: stream, or strided if the offsets have a common step of more than a line;
///   - steps go both ways: gather or scatter;
///   - fewer than `least_samples`, or neither: unknown.
/// `period`: one access in so many was sampled.
AccessPattern classify_samples(std::span<const SampledAccess> samples, std::uint64_t period, Bytes line);
inline constexpr std::size_t least_samples = 32;

/// "stream", "stream+gather": the kinds of an object by weight, and of one weight as PatternKind has them; those below
/// 5 % left out. "unknown" if there is none.
std::string describe_patterns(const ObjectPatterns& patterns);

}  // namespace lbhm
