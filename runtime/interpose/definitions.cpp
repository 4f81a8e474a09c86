#include "runtime/interpose/definitions.h"

#include <elf.h>
#include <link.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/interpose/loaded_object.h"

namespace lbhm::real {
namespace {

using Address = ElfW(Addr);

/// The symbols of an object, as its dynamic section has them.
class Symbols {
 public:
  explicit Symbols(const link_map& object) : base_(object.l_addr) {
    for (const ElfW(Dyn)* entry = object.l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) table_ = at<ElfW(Sym)>(entry);
      if (entry->d_tag == DT_STRTAB) names_ = at<char>(entry);
      if (entry->d_tag == DT_VERSYM) versions_ = at<std::uint16_t>(entry);
      if (entry->d_tag == DT_GNU_HASH) gnu_ = at<std::uint32_t>(entry);
      if (entry->d_tag == DT_HASH) old_ = at<std::uint32_t>(entry);
    }
  }

  void* find(std::string_view name) const {
    if (!table_ || !names_) return nullptr;
    return gnu_ ? find_by_gnu_hash(name) : old_ ? find_one_by_one(name) : nullptr;
  }

 private:
  /// glibc has made addresses of the offsets, but for objects whose section is read-only.
  template <class T>
  const T* at(const ElfW(Dyn) * entry) const {
    const Address value = entry->d_un.d_ptr;
    return reinterpret_cast<const T*>(value < base_ ? base_ + value : value);  // NOLINT(performance-no-int-to-ptr)
  }

  /// Of several versions the default one is not hidden.
  void* definition(std::size_t index, std::string_view name) const {
    constexpr std::uint16_t hidden = 0x8000;
    const ElfW(Sym)& symbol = table_[index];
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || names_ + symbol.st_name != name) return nullptr;
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || (versions_ && (versions_[index] & hidden))) return nullptr;
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return nullptr;
    void* const found = reinterpret_cast<void*>(base_ + symbol.st_value);  // NOLINT(performance-no-int-to-ptr)
    return type == STT_GNU_IFUNC ? reinterpret_cast<void* (*)()>(found)() : found;
  }

  /// Buckets name the first of a chain of symbols; the lowest bit of its hash ends a chain.
  void* find_by_gnu_hash(std::string_view name) const {
    std::uint32_t hash = 5381;
    for (const char letter : name) hash = hash * 33 + static_cast<unsigned char>(letter);
    const std::uint32_t buckets = gnu_[0];
    const std::uint32_t first = gnu_[1];
    const std::uint32_t* const bucket = gnu_ + 4 + gnu_[2] * (sizeof(Address) / sizeof(std::uint32_t));
    const std::uint32_t* const chain = bucket + buckets;
    std::uint32_t index = buckets ? bucket[hash % buckets] : 0;
    if (index < first) return nullptr;
    for (;; ++index) {
      const std::uint32_t other = chain[index - first];
      if ((other | 1) == (hash | 1))
        if (void* const found = definition(index, name)) return found;
      if (other & 1) return nullptr;
    }
  }

  void* find_one_by_one(std::string_view name) const {
    for (std::size_t index = 1; index < old_[1]; ++index)
      if (void* const found = definition(index, name)) return found;
    return nullptr;
  }

  Address base_;
  const ElfW(Sym) * table_ = nullptr;
  const char* names_ = nullptr;
  const std::uint16_t* versions_ = nullptr;
  const std::uint32_t* gnu_ = nullptr;
  const std::uint32_t* old_ = nullptr;
};

/// The kernel's object has libc's names, too, and is for libc alone.
bool is_of_kernel(const link_map& object) { return std::string_view(object.l_name).starts_with("linux-vdso"); }

/// Later ones may go while somebody reads the list. Null: none of our constructors has run, and there is one thread.
constinit std::atomic<const link_map*> last{nullptr};

[[gnu::constructor(101)]] void remember_last() {
  const link_map* object = object_of(reinterpret_cast<const void*>(&next_definition));
  while (object && object->l_next) object = object->l_next;
  last.store(object, std::memory_order_relaxed);
}

/// From `object` to the last one, or to the one in front of `end`.
void* find_from(const link_map* object, const link_map* end, const char* name) {
  const link_map* const stop = last.load(std::memory_order_relaxed);
  for (; object && object != end; object = object == stop ? nullptr : object->l_next) {
    if (is_of_kernel(*object)) continue;
    if (void* const found = Symbols(*object).find(name)) return found;
  }
  return nullptr;
}

const link_map* this_object() { return object_of(reinterpret_cast<const void*>(&next_definition)); }

}  // namespace

void* next_definition(const char* name) {
  const link_map* const ours = this_object();
  return ours ? find_from(ours->l_next, nullptr, name) : nullptr;
}

void* system_definition(const char* name) {
  void* const next = next_definition(name);
  // Preloads in front of ours would call us again.
  if (next || next_definition("__libc_start_main")) return next;
  const link_map* const ours = this_object();
  const link_map* first = ours;
  while (first && first->l_prev) first = first->l_prev;
  return find_from(first, ours, name);
}

}  // namespace lbhm::real
