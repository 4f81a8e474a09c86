#include "apps/pic/pic_options.h"

#include "apps/common/command_line.h"
#include "apps/common/mini_app.h"
#include "apps/pic/deck.h"

namespace pic {
Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  apps::CommandLine line("pic", "Particle-in-cell simulation of a beam in a plasma, for each plasma of a study.",
                         "Memory: 65 bytes a particle, 80 a cell, of the largest plasma alone.", options);
  CLI::Option* const deck = line.add_option("--deck", options.deck, "an input deck: key = value")->type_name("FILE");
  const auto take_built_in = [&options](const std::string& name) {
    built_in_deck(name);
    options.built_in = name;
  };
  line.add_option_function<std::string>(
          "--built-in", take_built_in, "a deck of the program: standard (default, at most 60 MB) or small (below 2 MB)")
      ->type_name("NAME")
      ->excludes(deck);
  line.add_flag("--print-deck", options.print_deck, "writes the built-in deck, to start one's own from, and ends");
  line.add_number("--scale", options.scale, 1, max_scale,
                  "boxes with N times the cells in each direction, N * N times the memory (default: 1)");
  line.add_seed("seed of the particles");
  line.read(arguments);
  return options;
}

}  // namespace pic
