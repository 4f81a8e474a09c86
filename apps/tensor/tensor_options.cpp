#include "apps/tensor/tensor_options.h"

#include <charconv>
#include <tuple>

#include "apps/common/command_line.h"
#include "apps/common/mini_app.h"
#include "apps/tensor/contraction_inputs.h"

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

}  // namespace

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  apps::CommandLine line(
      "tensor", "Contracts sparse tensors, one pair after the other: Z = X * Y, summed over the contracted modes.", "",
      options);
  CLI::Option* const atoms =
      line.add_number("--atoms", options.atoms, min_atoms, max_atoms / 2,
                      "block-sparse tensors of chain molecules with about N atoms (default: 5;\nwith 10 inputs about "
                      "120 MB; 12: 310 MB; memory grows with N and with the number of inputs)");
  const auto take_terms = [&](const std::string& text) { options.all_terms = parse_terms(text); };
  line.add_option_function<std::string>(
          "--terms", take_terms, "all: particle ladder, ring and hole ladder; ladder: the first alone (default: all)")
      ->type_name("WHICH");
  using Words = std::tuple<std::string, std::string, std::string>;
  const auto take_files = [&](const Words& words) {
    const auto& [x, y, modes] = words;
    options.files.push_back({.x = x, .y = y, .modes = parse_modes(modes)});
  };
  line.add_option_function<Words>("--tns", take_files,
                                  "two FROSTT files, and the modes to contract, those of X, a colon,\nthose of Y: "
                                  "3,4:1,2; may be given several times")
      ->type_name("X Y MODES")
      ->trigger_on_parse()
      ->excludes(atoms);
  const CLI::Option* const inputs =
      line.add_number("--inputs", options.inputs, 1, max_inputs,
                      "number of contractions (default: 10, or the number of pairs of files if there are several)");
  line.add_seed("seed of the first molecule or permutation");
  line.read(arguments);
  if (inputs->empty() && options.files.size() > 1) options.inputs = static_cast<unsigned>(options.files.size());
  return options;
}

}  // namespace tensor
