// Memory whose place LB-HM decides: the one place that says who serves it.
#pragma once

#include <mutex>
#include <string>

#include "runtime/loop/memory_traits.h"
#include "runtime/machine/machine.h"
#include "runtime/migration/actor.h"
#include "runtime/objects/kept_objects.h"
#include "runtime/objects/objects.h"
#include "runtime/placement/placement.h"
#include "runtime/uses/use_profile.h"

namespace lbhm {

/// Calls as the functions of engine.h; from any thread. They throw std::bad_alloc: what was mapped is lost then, and
/// the program goes on.
class ManagedMemory {
 public:
  struct Options {
    Bytes minimum;               ///< smaller objects are served by others
    bool placing = false;        ///< without tiers to choose from everything is
    bool keeps = true;           ///< blocks that the program gives back may be kept for it
    UseProfile* uses = nullptr;  ///< is told of births and deaths
  };
  ManagedMemory(Machine& machine, ObjectRegistry& objects, Policy& policy, Actor& actor, const Options& options)
      : machine_(machine), objects_(objects), policy_(policy), actor_(actor), options_(options) {}

  void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits);
  bool release_object(void* address);
  /// For malloc's blocks. Those that the program asks for again and again are kept with their pages (KeptObjects):
  /// `zeroed` clears them.
  void* allocate_heap_object(Bytes bytes, Bytes alignment, bool zeroed);
  /// `keeps`: it may be kept.
  bool release_heap_object(void* address, bool keeps);
  Bytes object_bytes(const void* address) const;
  void* allocate_block(Bytes bytes, int hint);
  void release_block(void* block, Bytes bytes) { machine_.release_block(block, bytes); }

 private:
  struct Origin {
    std::string name;
    SiteId site;
  };

  TierId tier_of(int hint) const;
  void* make_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits, Origin origin);
  void ask_policy(const Object& object, Bytes mapped);

  Machine& machine_;
  ObjectRegistry& objects_;
  Policy& policy_;
  Actor& actor_;
  const Options options_;
  KeptObjects kept_;
  std::mutex births_;       // guards Policy::on_object and the next line
  std::uint64_t born_ = 0;  // managed objects so far
};

}  // namespace lbhm
