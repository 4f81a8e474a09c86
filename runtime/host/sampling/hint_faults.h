// Pages that fault once when somebody touches them: mprotect(PROT_NONE), and a handler that puts them back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/host/sampling/armed_memory.h"
#include "runtime/machine/machine.h"

namespace lbhm::sampling {

/// The hint faults of this process. Calls may come from any thread. Nothing is armed while the program could not
/// survive it (obstacles.h), nor while it does something with its memory or signals (pauses.h); nor in forked children.
class HintFaults {
 public:
  /// What the handler found since the last call.
  struct Found {
    std::vector<HintFault> faults;  ///< times by CLOCK_MONOTONIC
    std::uint64_t unrecorded = 0;   ///< there was no room to note them
    std::uint64_t given_back = 0;   ///< armed pages that were let go unseen: the kernel had no room for more mappings
  };

  static HintFaults& of_process();

  /// Installs the handler if need be. Pages that are not mapped, not writable or readable, or of a stack are passed
  /// over. Returns how many pages are armed for this reason now. `lane`: of the calling thread, in the handler.
  std::size_t arm(std::span<const std::uintptr_t> pages, Armed reason, LaneId (*lane)(), const std::string& root);
  void disarm(std::span<const std::uintptr_t> pages);
  void disarm_all();
  /// out[i]: nobody touched pages[i] since it was armed for this reason.
  void untouched(std::span<const std::uintptr_t> pages, Armed reason, std::span<bool> out);
  /// Of pages that were armed for this reason: hints or samples.
  Found drain(Armed reason);
  std::size_t armed() const;       ///< pages
  std::uint64_t resolved() const;  ///< faults so far
  /// Nothing is armed for a while, because that would have ended the program.
  bool rests() const;
  /// Why it did, as a sentence for the report; empty: it never was so.
  std::string remark() const;
  /// Mean time that the handler took for one, ns; 0: there was none yet.
  double handler_ns() const;

  static constexpr std::size_t most_records = FaultLog::most_records;  ///< between two drains, of each reason
  /// More are passed over: the table would be larger than what it is worth.
  static constexpr std::size_t most_armed = 1 << 22;

 private:
  HintFaults() = default;
  bool must_rest(const std::string& root);
  std::uint64_t rests_ = 0, rests_until_ = 0;  // times; ns
  std::string rests_why_;
};

}  // namespace lbhm::sampling
