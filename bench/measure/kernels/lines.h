// Memory seen as cache lines: what every kernel here works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace measure {

struct alignas(64) Line {
  Line* next;  // the chases follow it
  std::uint64_t rest[7];
};

/// The same line as one value, for loads and stores of whole lines.
using Words = std::uint64_t __attribute__((vector_size(64)));

enum class Pages { huge, small };

/// `bytes` (rounded down to whole lines) of zeroed memory from the system. The system is asked for huge pages, or to
/// use none; it may not listen. Prints a sentence and ends the process when there is not enough memory.
class Lines {
 public:
  explicit Lines(std::size_t bytes, Pages pages = Pages::huge);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::span<Line> lines() const { return {static_cast<Line*>(memory_), count_}; }
  std::span<Words> words() const { return {static_cast<Words*>(memory_), count_}; }

 private:
  std::size_t count_;
  void* memory_;
};

}  // namespace measure
