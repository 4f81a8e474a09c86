#include "apps/common/placed_memory.h"

#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>
#include <cstdlib>
#include <new>
#include <vector>

namespace apps {
namespace {

#ifdef APPS_PLAIN
constexpr bool plain = true;
#else
constexpr bool plain = false;
#endif

omp_allocator_handle_t managed_allocator() {
  static const omp_allocator_handle_t allocator = [] {
    omp_alloctrait_t traits[] = {lbhm_managed(true)};
    return lbhm_init_allocator(omp_default_mem_space, 1, traits);
  }();
  return allocator;
}

}  // namespace

void* take_memory(std::size_t bytes) {
  void* memory = plain ? std::malloc(bytes) : omp_alloc(bytes, managed_allocator());
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void give_back(void* memory) noexcept {
  if (plain) return std::free(memory);
  if (memory != nullptr) omp_free(memory, managed_allocator());
}

Block::Block(std::string name, std::size_t bytes)
    : name_(std::move(name)), address_(take_memory(bytes)), bytes_(bytes) {}

Block::~Block() { give_back(address_); }

void plan_placement(std::span<const Block* const> objects, const std::string& kind) {
  if (plain || lbhm_config == nullptr) return;  // a weak reference: LB-HM is not loaded
  std::vector<lbhm_object> list;
  for (const Block* object : objects) list.push_back({object->address(), object->bytes(), object->name().c_str()});
  if (lbhm_phase != nullptr) lbhm_phase(kind.c_str());
  lbhm_config(list.data(), list.size());
}

void measure(bool on) {
  omp_get_max_threads();  // libomp turns commands to tools down until another call has made it start
  omp_control_tool(on ? omp_control_tool_start : omp_control_tool_pause, 0, nullptr);
}

}  // namespace apps
