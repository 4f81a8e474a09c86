// Options by CLI11. Its header is large: only the options of a program and what they share include this one.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"

namespace apps {

/// Every program's help ends with what this sentence says.
inline constexpr const char* exit_status =
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.";

/// A command line with --threads, --times and --help. `footer` is said below the options. An option that is given
/// several times counts as given last, unless it is a list.
class CommandLine : public CLI::App {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& footer,
              CommonOptions& common);

  /// An option with a whole number from `least` to `most`.
  template <class Number>
  CLI::Option* add_number(const std::string& name, Number& number, std::uint64_t least, std::uint64_t most,
                          const std::string& meaning) {
    return add_option(name, number, meaning)->type_name("N")->check(whole_number(least, most));
  }
  /// --seed, for programs with chance.
  void add_seed(const std::string& meaning);
  /// Reads the arguments after the program's name. Throws InputError, naming the option and what it may be. Afterwards
  /// the help or the number of threads is set.
  void read(const std::vector<std::string_view>& arguments);

  /// Accepts whole numbers in these bounds alone.
  static CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

 private:
  CommonOptions& common_;
};

}  // namespace apps
