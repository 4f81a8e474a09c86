#include "apps/pic/options.h"

#include "apps/common/arguments.h"
#include "apps/common/error.h"
#include "apps/pic/deck.h"

namespace pic {
const char* const usage =
    "Usage: pic [--deck FILE | --built-in NAME] [--scale N] [--threads N] [--seed N] [--times]\n"
    "Particle-in-cell simulation of a beam in a plasma, for each plasma of a study.\n"
    "  --deck FILE      an input deck: key = value\n"
    "  --built-in NAME  a deck of the program: standard (default, at most 60 MB) or small (below 2 MB)\n"
    "  --print-deck     writes the built-in deck, to start one's own from, and ends\n"
    "  --scale N        boxes with N times the cells in each direction, N * N times the memory (default: 1)\n"
    "  --threads N      threads (default: what OpenMP would use)\n"
    "  --seed N         seed of the particles (default: 1)\n"
    "  --times          wall times, on standard error\n"
    "Memory: 65 bytes a particle, 80 a cell, of the largest plasma alone.\n"
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.\n";

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  bool built_in = false;
  for (apps::Arguments at(arguments, options); at.next();) {
    if (at.is("--deck")) {
      options.deck = at.word();
    } else if (at.is("--built-in")) {
      options.built_in = at.word();
      built_in_deck(options.built_in);
      built_in = true;
    } else if (at.is("--print-deck")) {
      options.print_deck = true;
    } else if (at.is("--scale")) {
      options.scale = static_cast<unsigned>(at.number(1, max_scale));
    } else {
      at.common();
    }
  }
  if (built_in && !options.deck.empty()) {
    throw apps::InputError("--deck and --built-in exclude each other: give one of them.");
  }
  return options;
}

}  // namespace pic
