// Memory of the objects that matter: the only file of this program, with placed_memory.cpp, that knows LB-HM.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace apps {

/// Memory from the OpenMP allocator of this program, not initialised. Throws std::bad_alloc.
void* take_memory(std::size_t bytes);
void give_back(void* memory) noexcept;

/// The same for the standard containers.
template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}  // NOLINT(google-explicit-constructor): containers rebind
  T* allocate(std::size_t size) { return static_cast<T*>(take_memory(size * sizeof(T))); }
  void deallocate(T* memory, std::size_t) noexcept { give_back(memory); }
  bool operator==(const Allocator&) const { return true; }
};

template <class T>
using ManagedVector = std::vector<T, Allocator<T>>;

/// One object: memory from an OpenMP allocator, not initialised, given back at the end of its life.
class Block {
 public:
  /// Throws std::bad_alloc.
  Block(std::string name, std::size_t bytes);
  Block(Block&& other) noexcept
      : name_(std::move(other.name_)), address_(std::exchange(other.address_, nullptr)), bytes_(other.bytes_) {}
  Block& operator=(Block&&) = delete;
  ~Block();

  const std::string& name() const { return name_; }
  void* address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::string name_;
  void* address_;
  std::size_t bytes_;
};

/// An object that holds `size` elements of a plain type.
template <class T>
class Array : public Block {
 public:
  /// An empty array still has one element, so that every object has an address.
  Array(std::string name, std::size_t size) : Block(std::move(name), (size == 0 ? 1 : size) * sizeof(T)), size_(size) {}

  std::size_t size() const { return size_; }
  T* data() const { return static_cast<T*>(address()); }
  T* begin() const { return data(); }
  T* end() const { return data() + size_; }

 private:
  std::size_t size_;
};

/// Tells LB-HM, if it is there, which objects the next parallel region works on. The order of the objects must be the
/// same for every input: what LB-HM learns of one is used for the one at the same position later.
/// `kind` names the kind of input, where one call has several that are different work; empty: LB-HM is to find out.
void plan_placement(std::span<const Block* const> objects, const std::string& kind = {});

/// In front of a function that checks results, or prepares an input in memory that is given back before anything is
/// measured: it is left out of the instrumentation for the emulated machine, where this would take longer than the work
/// itself. Not for a function that is the first to touch memory of the measured part: without instrumentation pages do
/// not appear, and a policy could still place them for free when they are touched later.
#define APPS_NOT_MEASURED [[clang::annotate("lbhm_uninstrumented")]]

/// Switches tools that measure this program on or off: making and checking matrices is not what it is about.
void measure(bool on);

}  // namespace apps
