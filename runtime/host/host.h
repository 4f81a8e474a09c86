// Door of runtime/host: the computer that the program runs on, with the memories that it has.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/host/sampling/samplers.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// Where samples and page observations of a computer with several tiers come from; null: from nowhere.
struct HostSources {
  std::unique_ptr<ThreadSampler> sampler;
  std::unique_ptr<HostPageObserver> observer;
  std::vector<std::string> remarks;  ///< why there is none
};

/// What the machine offers to them.
struct HostServices {
  /// Tells the tiers of pages; no_tier for pages that are not there.
  std::function<void(std::span<const std::uintptr_t> pages, std::span<TierId> out)> where;
  std::function<void(const UseRanges& use)> managed;  ///< as SamplerOptions::managed
  std::function<Nanoseconds()> now;                   ///< the machine's clock
};

struct HostOptions {
  std::string tiers{};                   ///< LBHM_TIERS: memory nodes, "2,3/0,1", or a file (.json) of
                                         ///< lbhm machine measure; "": as they are found
  std::optional<Bytes> fast_capacity{};  ///< of tier 0, of all processes of this user together; nothing: what is free
  std::string spread = "nearest";        ///< how pages of a tier lie on its nodes: LBHM_SPREAD
  std::string huge_pages = "kernel";     ///< or on, off: LBHM_HUGE_PAGES
  std::optional<Bytes> small_objects{};  ///< of each tier, for blocks: LBHM_SMALL_OBJECTS; nothing: all
  std::string heap = "auto";             ///< what divides tiers into blocks, or none: LBHM_HEAP
  std::string root = "/";                ///< of /sys and /proc, for tests
  /// Called only when there are two tiers or more.
  std::function<Result<HostSources>(HostServices services)> sources{};
};

/// The computer as a machine: with one tier as make_host_machine() has it, with more a machine that places, moves and
/// samples. Errors: invalid_argument for settings that do not fit this computer.
Result<std::unique_ptr<Machine>> make_host_machine(const HostOptions& options);

/// The lane of the calling thread on a host of several tiers, 0 outside of regions. May be called in a signal handler.
LaneId host_lane();

}  // namespace lbhm
