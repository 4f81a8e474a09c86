// The modules of the process, by id.
#include <mutex>

#include "lbhm/compiled_patterns.h"
#include "runtime/patterns/module_text.h"
#include "runtime/patterns/patterns.h"

namespace lbhm {
namespace {

struct Entry {
  patterns::ModulePatterns module;
  bool loaded = false;   ///< the program has it
  std::string named_by;  ///< the file that speaks of it; empty: the program itself
};

}  // namespace

struct PatternCatalog::Impl {
  mutable std::mutex lock;
  std::unordered_map<std::uint64_t, Entry> entries;
};

PatternCatalog::PatternCatalog() : impl_(std::make_unique<Impl>()) {}
PatternCatalog::~PatternCatalog() = default;

Status PatternCatalog::add(std::string_view text) {
  auto module = patterns::read_module(text);
  if (!module) return module.error();
  const std::lock_guard guard(impl_->lock);
  Entry& entry = impl_->entries[module->id];
  entry.loaded = true;
  if (entry.named_by.empty()) entry.module = std::move(*module);
  return {};
}

Status PatternCatalog::add_file(std::string_view content, const std::string& name) {
  auto modules = patterns::read_file(content);
  if (!modules) return modules.error();
  const std::lock_guard guard(impl_->lock);
  for (patterns::ModulePatterns& module : *modules) {
    Entry& entry = impl_->entries[module.id];
    entry.named_by = name;
    entry.module = std::move(module);
  }
  return {};
}

const PatternBase* PatternCatalog::find(std::uint64_t base) const {
  const std::lock_guard guard(impl_->lock);
  const auto entry = impl_->entries.find(base >> LBHM_BASE_BITS);
  if (entry == impl_->entries.end() || !entry->second.loaded) return nullptr;
  const auto& bases = entry->second.module.bases;
  const auto found = bases.find(static_cast<std::uint32_t>(base & ((1U << LBHM_BASE_BITS) - 1)));
  return found == bases.end() ? nullptr : &found->second;
}

std::vector<std::string> PatternCatalog::stale() const {
  const std::lock_guard guard(impl_->lock);
  std::vector<std::string> sentences;
  for (const auto& [id, entry] : impl_->entries) {
    if (entry.loaded) continue;
    sentences.push_back(
        entry.named_by + " describes " + entry.module.source +
        " as it was in another build, so this part is not used; make the file again with lbhm patterns");
  }
  return sentences;
}

}  // namespace lbhm
