// What the tasks of a program are like: drawn from the seed, within what the three knobs say.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/imbalance/imbalance_options.h"

namespace imbalance {

/// How a task goes through its memory.
enum class Pattern : std::uint8_t {
  chase,   ///< dependent random loads: what was loaded says where the next load goes
  gather,  ///< independent random loads
  both,    ///< three independent random loads, then a dependent one
  stream,  ///< all lines, one after the other, word by word
  stride   ///< a word of every fifth line
};
const char* name_of(Pattern pattern);

/// Loads that a task does while another one does a dependent load: so tasks of different patterns take equally long.
/// Assumption, from machine `optane` with twelve cores at work: a dependent load of slow memory takes 305 ns; a random
/// block of 256 bytes is a core's after 114 ns, a line of a stream after 29 ns.
unsigned loads_at_once(Pattern pattern);

struct Shape {
  Pattern pattern = Pattern::chase;
  double weight = 1;        ///< of its work; the others have 1
  std::uint64_t loads = 0;  ///< a round; a stream counts lines
  std::uint64_t pages = 0;  ///< of 4 KiB, a multiple of page_stripes
  unsigned skew = 1;  ///< random loads: the share of the loads that goes to the hottest x of the pages is x^(1/skew)
};

/// Hot pages are not neighbours: they begin this many parts of a task's memory.
inline constexpr std::uint64_t page_stripes = 16;

/// The tasks of the program. Loads follow the weights. Pages follow loads * weight^-alignment: with an alignment of 0
/// every page of the program is loaded from equally often in the mean, with 1 the heavy tasks have no more pages than
/// the others, so theirs are hotter, with -1 the light ones have the hotter pages.
std::vector<Shape> draw_shapes(const Options& options);

/// The same with --vary, for a round from 0 on: every task has its input changed by a factor of its own. Round 0 is as
/// drawn.
std::vector<Shape> shapes_of_round(const std::vector<Shape>& drawn, const Options& options, unsigned round);

}  // namespace imbalance
