#include "runtime/knowledge/compiled_modules.h"

#include <dlfcn.h>

#include <cstring>
#include <mutex>

#include "lbhm/compiled_patterns.h"
#include "runtime/base/guarded.h"
#include "runtime/phases/lanes.h"

namespace lbhm {

struct CompiledModules::Impl {
  mutable std::mutex lock;
  std::vector<std::string> texts;  ///< not handed over yet; copied, because libraries may be unloaded
  std::vector<unsigned char*> switches;
  bool on = false;
  bool any = false;

  /// A library that was unloaded took its switch along.
  void set(unsigned char* noting) const {
    Dl_info file;
    if (dladdr(noting, &file) != 0) __atomic_store_n(noting, on ? 1 : 0, __ATOMIC_RELAXED);
  }
};

CompiledModules::CompiledModules() : impl_(std::make_unique<Impl>()) {}

CompiledModules& CompiledModules::of_process() {
  static auto* modules = new CompiledModules;  // never destroyed: libraries may be unloaded until the very end
  return *modules;
}

void CompiledModules::add(const char* first, const char* last, unsigned char* noting) {
  const std::lock_guard guard(impl_->lock);
  while (first < last) {
    const std::size_t length = strnlen(first, static_cast<std::size_t>(last - first));
    if (length > 0) impl_->texts.emplace_back(first, length);  // linkers pad sections with zero bytes
    first += length + 1;
  }
  impl_->any = true;
  impl_->switches.push_back(noting);
  impl_->set(noting);
}

std::vector<std::string> CompiledModules::hand_over(PatternCatalog& catalog) {
  std::vector<std::string> texts;
  {
    const std::lock_guard guard(impl_->lock);
    texts.swap(impl_->texts);
  }
  std::vector<std::string> complaints;
  for (const std::string& text : texts) {
    if (const Status status = catalog.add(text); !status.ok()) complaints.push_back(status.message());
  }
  return complaints;
}

void CompiledModules::note(bool on) {
  const std::lock_guard guard(impl_->lock);
  if (impl_->on == on) return;
  impl_->on = on;
  for (unsigned char* noting : impl_->switches) impl_->set(noting);
}

bool CompiledModules::any() const {
  const std::lock_guard guard(impl_->lock);
  return impl_->any;
}

}  // namespace lbhm

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_patterns_v1(const char* first, const char* last, unsigned char* noting) {
  lbhm::guarded([=] { lbhm::CompiledModules::of_process().add(first, last, noting); });
}

LBHM_ENTRY void lbhm_note_v1(uint64_t base, const void* address) {
  lbhm::LaneState* lane = lbhm::current_lane;
  if (lane == nullptr || lane->noting == nullptr) return;
  const auto slot = lane->noting->find(reinterpret_cast<std::uintptr_t>(address));
  if (slot) lbhm::guarded([&] { lane->notes.add(base, *slot); });
}
}
