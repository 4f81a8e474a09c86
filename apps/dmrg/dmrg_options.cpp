#include "apps/dmrg/dmrg_options.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "apps/common/command_line.h"
#include "apps/common/mini_app.h"

namespace dmrg {
namespace {

constexpr std::size_t max_sites = 1000;
constexpr double max_interaction = 1000;
constexpr double default_cutoff = 1e-12;

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

Kind parse_kind(std::string_view word) {
  if (word == "heisenberg") return Kind::heisenberg;
  if (word == "hubbard") return Kind::hubbard;
  throw apps::InputError("--model: '" + std::string(word) + "' must be heisenberg or hubbard.");
}

double parse_interaction(std::string_view word) {
  double number = 0;
  if (!read_number(word, number) || !(number >= 0 && number <= max_interaction)) {
    throw apps::InputError("--interaction: '" + std::string(word) + "' must be a number from 0 to 1000.");
  }
  return number;
}

std::vector<Sweep> parse_dimensions(std::string_view list) {
  std::vector<Sweep> sweeps;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    Sweep sweep;
    if (!read_number(list.substr(begin, end - begin), sweep.truncation.max_dimension) ||
        sweep.truncation.max_dimension < 1 || sweep.truncation.max_dimension > max_dimension ||
        sweeps.size() == max_sweeps) {
      throw apps::InputError("--dims: '" + std::string(list) + "' must be up to 1000 numbers from 1 to " +
                             std::to_string(max_dimension) + " with commas between them.");
    }
    sweep.truncation.cutoff = default_cutoff;
    sweeps.push_back(sweep);
    begin = end + 1;
  }
  return sweeps;
}

/// What has a say in the sweeps beside the table.
struct Given {
  std::string dimensions = "64,128,256,448";
  std::size_t iterations = 3;
  std::size_t measured_from = 0;
};

void add_model(apps::CommandLine& line, ModelOptions& model) {
  const auto take_kind = [&model](const std::string& word) { model.kind = parse_kind(word); };
  line.add_option_function<std::string>("--model", take_kind, "heisenberg (spin 1/2) or hubbard (half filled; default)")
      ->type_name("M");
  line.add_number("--length", model.length, 1, max_sites, "sites along the lattice (default: 16)");
  line.add_number("--width", model.width, 1, max_sites, "sites across; 1 is the chain (default: 1)");
  const auto take_interaction = [&model](const std::string& word) { model.interaction = parse_interaction(word); };
  line.add_option_function<std::string>("--interaction", take_interaction,
                                        "hubbard: U in units of the hopping, 0 to 1000 (default: 4)")
      ->type_name("U");
}

void read_options(const std::vector<std::string_view>& arguments, Options& options, Given& given) {
  apps::CommandLine line("dmrg",
                         "Finds the ground state of a chain or a lattice with open ends by DMRG, sweep by sweep.",
                         "The pairs in the middle quarter of the lattice are measured: there most of the work is.\n"
                         "Memory: the default needs about 30 MB; it grows with M^2 and the number of sites.",
                         options);
  add_model(line, options.model);
  CLI::Option* const table =
      line.add_option("--sweeps", options.table, "a table of sweeps as ITensor's programs read it; see README.md")
          ->type_name("FILE");
  line.add_option("--dims", given.dimensions, "one sweep for each bond dimension (default: 64,128,256,448)")
      ->type_name("M,M,...")
      ->excludes(table);
  line.add_number("--iterations", given.iterations, 1, max_iterations,
                  "with --dims: products H * x for each pair of sites (default: 3)")
      ->excludes(table);
  line.add_number("--measure", given.measured_from, 1, max_sweeps,
                  "the first sweep that is measured (default: 3, or the last if there are fewer)");
  line.read(arguments);  // no --seed: nothing is left to chance
}

}  // namespace

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  Given given;
  read_options(arguments, options, given);
  if (options.model.length * options.model.width > max_sites) {
    throw apps::InputError("--length, --width: more than " + std::to_string(max_sites) + " sites.");
  }
  options.sweeps = options.table.empty() ? parse_dimensions(given.dimensions) : read_sweep_table(options.table);
  if (options.table.empty()) {
    for (Sweep& sweep : options.sweeps) sweep.iterations = given.iterations;
  }
  if (given.measured_from > options.sweeps.size()) {
    throw apps::InputError("--measure: there are only " + std::to_string(options.sweeps.size()) + " sweeps.");
  }
  options.measured_from =
      given.measured_from == 0 ? std::min<std::size_t>(3, options.sweeps.size()) : given.measured_from;
  return options;
}

}  // namespace dmrg
