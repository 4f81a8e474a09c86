// Memory whose place LB-HM decides: the one place that says who serves it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/loop/memory_traits.h"
#include "runtime/machine/machine.h"
#include "runtime/migration/actor.h"
#include "runtime/objects/globals.h"
#include "runtime/objects/kept_objects.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/allocation_strategy.h"
#include "runtime/placement/placement.h"
#include "runtime/record/use_profile.h"

namespace lbhm {

/// Calls as the functions of engine.h; from any thread. They throw std::bad_alloc: what was mapped is lost then, and
/// the program goes on.
class ManagedMemory {
 public:
  struct Options {
    Bytes minimum;               ///< smaller objects are served by others
    bool placing = false;        ///< without tiers to choose from everything is
    TierId begin{0};             ///< where objects of which nobody says anything begin
    bool keeps = true;           ///< blocks that the program gives back may be kept for it
    bool headers = true;         ///< blocks of malloc may have a page in front (MemoryTraits::header)
    UseProfile* uses = nullptr;  ///< is told of births and deaths
  };
  ManagedMemory(Machine& machine, ObjectRegistry& objects, Policy& policy, AllocationStrategy& strategy, Actor& actor,
                const Options& options)
      : machine_(machine), objects_(objects), policy_(policy), strategy_(strategy), actor_(actor), options_(options) {}

  void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits);
  bool release_object(void* address);
  /// For malloc's blocks. Those that the program asks for again and again are kept with their pages (KeptObjects):
  /// `zeroed` clears them.
  /// `lane`: in virtual time, the lane of a region that asks.
  void* allocate_heap_object(Bytes bytes, Bytes alignment, bool zeroed, std::optional<LaneId> lane = {});
  bool release_heap_object(void* address, std::optional<LaneId> lane = {});
  /// The site of who asks for a small block; unknown if its calls are not readable.
  SiteId site_of_small_blocks(CallsOnStack& calls);
  /// Pages for an arena of a site that was asked for here before, aligned to their size.
  void* allocate_arena(Bytes bytes, SiteId site, std::optional<LaneId> lane = {});
  /// In virtual time: the lanes of a region have ended, and the program goes on alone.
  void all_lanes_ended();

  /// The large variables of the program and its libraries are objects from now on; those of libraries that are gone are
  /// none any more.
  void follow_modules();
  /// Zeroed memory for a mapping of the program's own.
  void* map_object(Bytes bytes, std::optional<LaneId> lane = {});
  bool release_mapping(void* address, Bytes bytes);
  void end_objects(void* address, Bytes bytes);

  Bytes object_bytes(const void* address) const;
  /// Empty, or what is wrong in a sentence.
  std::string move_object(const void* address, int hint);
  void* allocate_block(Bytes bytes, int hint);
  void release_block(void* block, Bytes bytes) { machine_.release_block(block, bytes); }

 private:
  struct Origin {
    std::string name;  ///< the object's; empty: its place says it
    CodePlace place{};
    SiteId site{};
    std::optional<LaneId> lane{};
  };
  /// Blocks of the heap, apart for each lane that races for memory.
  struct Heap {
    KeptObjects kept;
    std::atomic<std::uint64_t> gone{0};  ///< bytes that other lanes gave back in this region
  };

  Heap& heap_of(std::uint32_t racing_lane);
  void adopt(Object object);
  void forget_globals_of(const LoadedModule& module);
  void cut(const Object& object, std::uintptr_t begin, std::uintptr_t end);
  void end_unmapped(std::uintptr_t address, Bytes mapped);
  void name_pages(const Object& object);

  Bytes whole_pages(Bytes bytes) const;
  TierId tier_of(int hint) const;
  void* make_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits, Origin origin);
  bool ask_policy(const Object& object, Bytes mapped);
  void place_new(const Object& object, Bytes mapped);

  Machine& machine_;
  ObjectRegistry& objects_;
  Policy& policy_;
  AllocationStrategy& strategy_;
  Actor& actor_;
  const Options options_;
  Heap heap_;  ///< of all that comes in the order of the program
  std::mutex lanes_mutex_;
  std::map<std::uint32_t, Heap> of_lanes_;  ///< by Object::racing_lane
  std::atomic<bool> others_gave_back_{false};
  std::mutex places_mutex_;
  std::map<SiteId, std::string> places_of_small_blocks_;
  std::mutex modules_mutex_;
  std::vector<LoadedModule> modules_;
  std::mutex births_;       // guards Policy::on_object, the strategy and the next line
  std::uint64_t born_ = 0;  // managed objects so far
};

}  // namespace lbhm
