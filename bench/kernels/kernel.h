// A kernel whose accesses are known by counting: what emulator-speed divides by.
#pragma once

#include <cstdint>
#include <memory>

namespace bench {

class Kernel {
 public:
  virtual ~Kernel() = default;
  /// Does the work once. Returns a number that depends on all of it.
  virtual double sweep() = 0;
  /// Loads and stores of array elements in a sweep, as the source has them: one each, however they are vectorised.
  virtual std::uint64_t accesses() const = 0;
};

struct KernelEntry {
  const char* name;
  std::unique_ptr<Kernel> (*make)();
  unsigned sweeps;  ///< for about a tenth of a second natively
};

std::unique_ptr<Kernel> make_triad();
std::unique_ptr<Kernel> make_gather();
std::unique_ptr<Kernel> make_chase();
std::unique_ptr<Kernel> make_spmv();
std::unique_ptr<Kernel> make_jacobi();
std::unique_ptr<Kernel> make_large_triad();
std::unique_ptr<Kernel> make_large_gather();

}  // namespace bench
