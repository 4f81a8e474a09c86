// Memory for the emulator's own tables, apart from the program's heap.
//
// Which thread grows a shared table depends on real time. If tables came from malloc, they would shift the blocks that
// the program gets next, and with them its cache lines: results would no longer repeat to the bit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory_resource>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lbhm::emulator {

/// Pools over anonymous mappings; safe from any thread; never destroyed.
std::pmr::memory_resource& private_memory();

/// An allocator of private_memory() that needs no argument, unlike std::pmr's.
template <class T>
struct PrivateAllocator {
  using value_type = T;
  PrivateAllocator() = default;
  template <class U>
  PrivateAllocator(const PrivateAllocator<U>&) {}
  // NOLINTBEGIN(bugprone-sizeof-expression): T may be a pointer.
  T* allocate(std::size_t n) { return static_cast<T*>(private_memory().allocate(n * sizeof(T), alignof(T))); }
  void deallocate(T* p, std::size_t n) {
    private_memory().deallocate(static_cast<void*>(p), n * sizeof(T), alignof(T));
  }
  // NOLINTEND(bugprone-sizeof-expression)
  friend bool operator==(PrivateAllocator, PrivateAllocator) { return true; }
};

template <class T>
using PrivateVector = std::vector<T, PrivateAllocator<T>>;
template <class T>
using PrivateDeque = std::deque<T, PrivateAllocator<T>>;
template <class K, class V>
using PrivateMap = std::map<K, V, std::less<K>, PrivateAllocator<std::pair<const K, V>>>;
template <class K, class V>
using PrivateHashMap =
    std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, PrivateAllocator<std::pair<const K, V>>>;

/// Zeroed memory of its own, in whole pages; those that nobody writes to cost addresses alone. Throws std::bad_alloc.
void* map_zeroed(std::size_t bytes);
void unmap(void* memory, std::size_t bytes);

/// A large table that begins as zeros: most threads of a program write to a small part of it.
template <class T>
class ZeroedTable {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit ZeroedTable(std::size_t size) : size_(size), first_(static_cast<T*>(map_zeroed(size * sizeof(T)))) {}
  ZeroedTable(ZeroedTable&& other) noexcept
      : size_(std::exchange(other.size_, 0)), first_(std::exchange(other.first_, nullptr)) {}
  ZeroedTable(const ZeroedTable&) = delete;
  ZeroedTable& operator=(const ZeroedTable&) = delete;
  ZeroedTable& operator=(ZeroedTable&&) = delete;
  ~ZeroedTable() {
    if (first_ != nullptr) unmap(first_, size_ * sizeof(T));
  }

  T* data() { return first_; }
  T& operator[](std::size_t i) { return first_[i]; }
  const T& operator[](std::size_t i) const { return first_[i]; }
  void clear() { std::fill_n(first_, size_, T{}); }

 private:
  std::size_t size_;
  T* first_;
};

/// A class that derives from this is made in private memory by plain `new`.
struct PrivatelyAllocated {
  static constexpr std::size_t alignment = 64;  // objects of different threads share no line of the host
  // libstdc++'s pools keep an alignment only for sizes that are multiples of it.
  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) & ~(alignment - 1); }
  static void* operator new(std::size_t bytes) { return private_memory().allocate(rounded(bytes), alignment); }
  static void operator delete(void* p, std::size_t bytes) { private_memory().deallocate(p, rounded(bytes), alignment); }
};

}  // namespace lbhm::emulator
