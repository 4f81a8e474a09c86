#include "apps/imbalance/imbalance_options.h"

#include <charconv>
#include <map>
#include <string>

#include "apps/common/command_line.h"
#include "apps/common/mini_app.h"

namespace imbalance {
namespace {

constexpr double max_imbalance = 100;
constexpr double max_vary = 4;
constexpr std::uint64_t max_mebibytes = 1 << 20;
constexpr std::uint64_t max_thousand_loads = 1'000'000'000;

/// Adds an option with a number from `least` to `most`.
CLI::Option* add_real(apps::CommandLine& line, const std::string& name, double& number, double least, double most,
                      const std::string& meaning) {
  const auto take = [=, &number](const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // NaN is not in the range either.
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= least && value <= most)) {
      throw apps::InputError(name + ": '" + text + "' must be a number from " +
                             std::to_string(static_cast<int>(least)) + " to " + std::to_string(static_cast<int>(most)) +
                             ".");
    }
    number = value;
  };
  return line.add_option_function<std::string>(name, take, meaning)->type_name("X");
}

Limit parse_limit(const std::string& text) {
  static const std::map<std::string, Limit> limits{
      {"latency", Limit::latency}, {"bandwidth", Limit::bandwidth}, {"mixed", Limit::mixed}};
  const auto found = limits.find(text);
  if (found != limits.end()) return found->second;
  throw apps::InputError("--limit: '" + text + "' must be latency, bandwidth or mixed.");
}

}  // namespace

std::uint64_t usual_thousand_loads(Limit limit) {
  switch (limit) {
    case Limit::latency:
      return 500;
    case Limit::mixed:
      return 1000;
    case Limit::bandwidth:
      return 2000;
  }
  return 1000;
}

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  apps::CommandLine line("imbalance", "Generates a program of uneven tasks, each with memory of its own, and runs it.",
                         "Memory: --mib, and with --vary up to 1 + X times as much.", options);
  line.add_number("--tasks", options.tasks, 1, max_tasks, "tasks of a round (default: 12)");
  add_real(line, "--imbalance", options.imbalance, 0, max_imbalance,
           "every third task does X times the work of the others;\n0: all are equal (default: 3)");
  add_real(
      line, "--alignment", options.alignment, -1, 1,
      "the hottest pages belong to the slowest tasks (1),\nto the quickest ones (-1) or to all alike (0, the default)");
  line.add_option_function<std::string>(
          "--limit", [&](const std::string& text) { options.limit = parse_limit(text); },
          "what tasks wait for: latency, bandwidth or mixed (default)")
      ->type_name("WHAT");
  line.add_number("--rounds", options.rounds, 1, max_rounds, "parallel regions (default: 20)");
  line.add_number("--mib", options.mebibytes, 1, max_mebibytes, "MiB of all tasks together (default: 24)");
  line.add_number(
      "--kloads", options.thousand_loads, 1, max_thousand_loads,
      "thousand loads of all tasks in a round (default: 500 with\n--limit latency, 1000 mixed, 2000 bandwidth)");
  CLI::Option* const vary = add_real(line, "--vary", options.vary, 0, max_vary,
                                     "inputs of rounds are up to 1 + X times larger or smaller;\n0: rounds are equal "
                                     "(default)");
  line.add_flag("--plain", options.plain,
                "nothing is drawn: sizes as these options say, loads uniformly random,\nevery task of a limit alike");
  line.add_flag("--one-region", options.one_region, "all rounds are in one parallel region, barriers between them")
      ->excludes(vary);
  line.add_flag(
      "--hottest-first", options.hottest_first,
      "pages appear in the order of how hot they are, not of their addresses:\nwhat comes first has fast memory");
  line.add_seed("seed of the tasks and of what they load");
  line.read(arguments);
  if (options.thousand_loads == 0) options.thousand_loads = usual_thousand_loads(options.limit);
  return options;
}

}  // namespace imbalance
