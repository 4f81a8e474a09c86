#include "apps/tensor/options.h"

#include <charconv>

#include "apps/common/arguments.h"
#include "apps/common/error.h"

namespace tensor {
namespace {

[[noreturn]] void refuse_modes(std::string_view text) {
  throw apps::InputError("--tns: '" + std::string(text) +
                         "' does not say which modes to contract. Expected modes of X, a colon, as many modes of Y, as "
                         "in 3,4:1,2.");
}

/// "3,4" as 2, 3.
std::vector<unsigned> parse_list(std::string_view list, std::string_view text) {
  std::vector<unsigned> modes;
  for (const char* at = list.data(); at <= list.data() + list.size(); ++at) {
    unsigned mode = 0;
    const auto [end, error] = std::from_chars(at, list.data() + list.size(), mode);
    if (error != std::errc{} || mode == 0) refuse_modes(text);
    modes.push_back(mode - 1);
    if (end != list.data() + list.size() && *end != ',') refuse_modes(text);
    at = end;
  }
  return modes;
}

ContractModes parse_modes(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse_modes(text);
  ContractModes modes{parse_list(text.substr(0, colon), text), parse_list(text.substr(colon + 1), text)};
  if (modes.x.size() != modes.y.size()) refuse_modes(text);
  return modes;
}

/// True for all of them.
bool parse_terms(std::string_view text) {
  if (text != "all" && text != "ladder") {
    throw apps::InputError("--terms: '" + std::string(text) + "' must be all or ladder.");
  }
  return text == "all";
}

Files parse_files(apps::Arguments& at) {
  const std::string x(at.word());
  const std::string y(at.word());
  return {.x = x, .y = y, .modes = parse_modes(at.word())};
}

}  // namespace

const char* const usage =
    "Usage: tensor [--atoms N] [--terms WHICH] [--tns X Y MODES]... [--inputs N] [--threads N] [--seed N] [--times]\n"
    "Contracts sparse tensors, one pair after the other: Z = X * Y, summed over the contracted modes.\n"
    "  --atoms N        block-sparse tensors of chain molecules with about N atoms (default: 5; with 10 inputs about\n"
    "                   120 MB; 12: 310 MB; memory grows with N and with the number of inputs)\n"
    "  --terms WHICH    all: particle ladder, ring and hole ladder; ladder: the first alone (default: all)\n"
    "  --tns X Y MODES  two FROSTT files, and the modes to contract, those of X, a colon, those of Y: 3,4:1,2;\n"
    "                   may be given several times\n"
    "  --inputs N       number of contractions (default: 12, or the number of pairs of files if there are several)\n"
    "  --threads N      threads, and parts of X (default: what OpenMP would use)\n"
    "  --seed N         seed of the first molecule or permutation (default: 1)\n"
    "  --times          wall times, on standard error\n"
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.\n";

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  bool atoms = false;
  bool inputs = false;
  for (apps::Arguments at(arguments, options); at.next();) {
    if (at.is("--atoms")) {
      options.atoms = static_cast<unsigned>(at.number(min_atoms, max_atoms / 2));
      atoms = true;
    } else if (at.is("--terms")) {
      options.all_terms = parse_terms(at.word());
    } else if (at.is("--tns")) {
      options.files.push_back(parse_files(at));
    } else if (at.is("--inputs")) {
      options.inputs = static_cast<unsigned>(at.number(1, max_inputs));
      inputs = true;
    } else {
      at.common();
    }
  }
  if (atoms && !options.files.empty()) {
    throw apps::InputError("--atoms and --tns exclude each other: give one of them.");
  }
  if (!inputs && options.files.size() > 1) options.inputs = static_cast<unsigned>(options.files.size());
  return options;
}

}  // namespace tensor
