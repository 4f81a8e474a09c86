// The kernels of the host check: programs whose time on the emulated machine is compared with that on the host.
// None of them is used to calibrate anything.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace host {

/// A kernel with its data in it. A call does the work once and returns a number that depends on it; calls may follow
/// each other, and all but the first do the same work.
using Kernel = std::function<double()>;

/// How a kernel uses several threads.
enum class Threads {
  share,   ///< one problem, divided by OpenMP
  copies,  ///< sequential: every thread has a problem of its own
};

struct Entry {
  const char* name;
  Kernel (*make)(std::size_t size);
  Threads threads;
  std::size_t full;   ///< size for the host check
  unsigned repeats;   ///< calls at that size that take 0.1 to 0.4 s on a machine of 2024
  std::size_t small;  ///< size for programs that run 50 times slower (cachegrind)
};

// One table a theme.
std::span<const Entry> dense_kernels();
std::span<const Entry> sparse_kernels();
std::span<const Entry> stencil_kernels();
std::span<const Entry> transform_kernels();
std::span<const Entry> sort_kernels();
std::span<const Entry> hash_kernels();
std::span<const Entry> graph_kernels();
std::span<const Entry> particle_kernels();
std::span<const Entry> pointer_kernels();
std::span<const Entry> table_kernels();
std::span<const Entry> dynamic_kernels();

}  // namespace host
