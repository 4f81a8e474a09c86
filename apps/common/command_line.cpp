#include "apps/common/command_line.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "apps/common/mini_app.h"

namespace apps {
namespace {

constexpr unsigned max_threads = 1024;
constexpr std::size_t width_of_options = 22;

/// CLI11's sentence begins with the option's name.
std::string option_of(const CLI::Error& error) {
  const std::string sentence = error.what();
  return sentence.substr(0, sentence.find(':'));
}

}  // namespace

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& footer,
                         CommonOptions& common)
    : CLI::App(description, name), common_(common) {
  option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  get_formatter()->column_width(width_of_options);
  this->footer((footer.empty() ? "" : footer + "\n") + exit_status);
  allow_extras();
  add_number("--threads", common.threads, 1, max_threads,
             "threads, and parts of the work (default: what OpenMP would use)");
  add_flag("--times", common.times, "wall times, on standard error");
}

void CommandLine::add_seed(const std::string& meaning) {
  add_number("--seed", common_.seed, 0, std::numeric_limits<std::uint32_t>::max(), meaning + " (default: 1)");
}

void CommandLine::read(const std::vector<std::string_view>& arguments) {
  try {
    parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    if (remaining_size() != 0) throw InputError("unknown option '" + remaining().front() + "'. See --help.");
  } catch (const CLI::CallForHelp&) { common_.help = help(); } catch (const CLI::ArgumentMismatch& error) {
    throw InputError(option_of(error) + ": a value must follow. See --help.");
  } catch (const CLI::ExcludesError& error) {
    throw InputError(std::string(error.what()) + ": give one of them.");
  } catch (const CLI::ParseError& error) { throw InputError(error.what()); }
  if (common_.threads == 0) common_.threads = static_cast<unsigned>(std::max(omp_get_max_threads(), 1));
}

CLI::Validator CommandLine::whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](const std::string& text) {
            std::uint64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            const bool whole = error == std::errc{} && end == text.data() + text.size();
            return whole && number >= least && number <= most
                       ? std::string()
                       : "'" + text + "' must be a whole number from " + std::to_string(least) + " to " +
                             std::to_string(most) + ".";
          },
          ""};
}

}  // namespace apps
