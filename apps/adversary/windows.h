// What a seed makes: windows of the memory that are hot for a while, and the loads that make them so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace adversary {

enum class Kind : std::uint8_t {
  even,     ///< no page is better than another
  streams,  ///< every thread goes through its part, again and again: what was used comes last
  swaps,    ///< two windows in turn
  flees,    ///< eight windows in turn
  tables,   ///< a table is made, looked up, and given back; then the next one
  prelude,  ///< one thread uses a window for a long time, then all of them another
};
constexpr unsigned kinds = 6;

struct Shape {
  Kind kind;
  unsigned stays;   ///< of so many loads each a window is hot
  unsigned hot;     ///< percent of the loads that go to the window; the others go anywhere
  bool chase;       ///< an address comes from the load before
  unsigned writes;  ///< percent of the loads whose word is written, too
};

/// Kinds in turn; the rest by chance.
Shape draw_shape(std::uint64_t seed);
const char* name_of(Kind kind);

/// Words [begin, end) of the memory.
struct Window {
  std::size_t begin, end;
};

/// Loads that found what was not written, and a number that depends on every word that was found.
struct Found {
  std::uint64_t wrong = 0, sum = 0;
  Found& operator+=(const Found& other) {
    wrong += other.wrong, sum += other.sum;
    return *this;
  }
};

/// Memory in which a word's value follows from its place. It appears in the order of places.
class Words {
 public:
  /// Throws std::bad_alloc.
  explicit Words(std::size_t size);

  /// The loads of a stay, by all threads, or by the initial one alone. `stay`: its number.
  Found look_up(const Shape& shape, Window window, std::uint64_t loads, std::uint64_t stay, bool alone = false);
  /// Goes on through all words, a load a line.
  Found go_through(std::uint64_t loads, std::uint64_t stay) const;

  std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace adversary
