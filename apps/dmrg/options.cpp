#include "apps/dmrg/options.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "apps/common/arguments.h"
#include "apps/common/error.h"

namespace dmrg {
const char* const usage =
    "Usage: dmrg [--model heisenberg|hubbard] [--length N] [--width N] [--interaction U]\n"
    "            [--sweeps FILE | --dims M,M,... [--iterations N]] [--measure N] [--threads N] [--times]\n"
    "Finds the ground state of a chain or a lattice with open ends by DMRG, sweep by sweep.\n"
    "  --model M        heisenberg (spin 1/2) or hubbard (half filled; default)\n"
    "  --length N       sites along the lattice (default: 16)\n"
    "  --width N        sites across; 1 is the chain (default: 1)\n"
    "  --interaction U  hubbard: U in units of the hopping, 0 to 1000 (default: 4)\n"
    "  --sweeps FILE    a table of sweeps as ITensor's programs read it; see README.md\n"
    "  --dims M,M,...   one sweep for each bond dimension (default: 64,128,256,448)\n"
    "  --iterations N   with --dims: products H * x for each pair of sites (default: 3)\n"
    "  --measure N      the first sweep that is measured (default: 3, or the last if there are fewer)\n"
    "  --threads N      threads (default: what OpenMP would use)\n"
    "  --times          wall times, on standard error\n"
    "The pairs in the middle quarter of the lattice are measured: there most of the work is.\n"
    "Memory: the default needs about 30 MB; it grows with M^2 and the number of sites.\n"
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.\n";

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

void check(const Options& options) {
  if (options.model.length * options.model.width > max_sites) {
    throw apps::InputError("--length, --width: more than " + std::to_string(max_sites) + " sites.");
  }
}

}  // namespace

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  std::string_view dimensions;
  std::size_t iterations = 0;
  std::size_t measured_from = 0;
  for (apps::Arguments at(arguments, options); at.next();) {
    if (at.is("--model")) {
      options.model.kind = parse_kind(at.word());
    } else if (at.is("--length")) {
      options.model.length = at.number(1, max_sites);
    } else if (at.is("--width")) {
      options.model.width = at.number(1, max_sites);
    } else if (at.is("--interaction")) {
      options.model.interaction = parse_interaction(at.word());
    } else if (at.is("--sweeps")) {
      options.table = at.word();
    } else if (at.is("--dims")) {
      dimensions = at.word();
      if (dimensions.empty()) parse_dimensions(dimensions);
    } else if (at.is("--iterations")) {
      iterations = at.number(1, max_iterations);
    } else if (at.is("--measure")) {
      measured_from = at.number(1, max_sweeps);
    } else if (at.is("--seed")) {
      at.unknown();  // nothing is left to chance
    } else {
      at.common();
    }
  }
  check(options);
  if (!options.table.empty() && (!dimensions.empty() || iterations != 0)) {
    throw apps::InputError("--sweeps excludes --dims and --iterations: the table has both.");
  }
  options.sweeps = options.table.empty() ? parse_dimensions(dimensions.empty() ? "64,128,256,448" : dimensions)
                                         : read_sweep_table(options.table);
  if (options.table.empty()) {
    for (Sweep& sweep : options.sweeps) sweep.iterations = iterations == 0 ? 3 : iterations;
  }
  if (measured_from > options.sweeps.size()) {
    throw apps::InputError("--measure: there are only " + std::to_string(options.sweeps.size()) + " sweeps.");
  }
  options.measured_from = measured_from == 0 ? std::min<std::size_t>(3, options.sweeps.size()) : measured_from;
  return options;
}

}  // namespace dmrg
