// The command line, option by option, with one way to refuse what cannot be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

inline constexpr unsigned max_threads = 1024;

/// What every program takes.
struct CommonOptions {
  unsigned threads = 0;    ///< --threads; as many tasks. Default: what OpenMP would use
  std::uint64_t seed = 1;  ///< --seed; programs without chance refuse it
  bool times = false;      ///< --times
  bool help = false;       ///< --help
};

/// The arguments after the program's name. All calls but next() are about the option that next() went to.
class Arguments {
 public:
  /// What is common to all programs goes into `common`.
  Arguments(const std::vector<std::string_view>& arguments, CommonOptions& common)
      : arguments_(arguments), common_(common) {}

  /// Goes to the next option; false behind the last one: then the number of threads is set.
  bool next();
  bool is(std::string_view option) const { return option_ == option; }
  /// The word that follows. Throws InputError if there is none.
  std::string_view word();
  /// The whole number that follows. Throws InputError unless it is one from `least` to `most`.
  std::uint64_t number(std::uint64_t least, std::uint64_t most);
  /// Takes the option if it is one of those that all programs have. Throws InputError if it is not: there is no such
  /// option.
  void common();
  /// Throws InputError: there is no such option.
  [[noreturn]] void unknown() const;

 private:
  const std::vector<std::string_view>& arguments_;
  CommonOptions& common_;
  std::size_t at_ = 0;
  std::string_view option_;
};

/// A program as its main() sees it.
struct Program {
  const char* name;
  const char* usage;
  const char* smaller;  ///< the advice how to need less memory
};

/// What main() of every program does: `body` gets the arguments and returns an exit status; exceptions become one line
/// on the standard error and a status: 2 for InputError, 1 for std::bad_alloc.
int run_guarded(const Program& program, int argc, char** argv,
                const std::function<int(const std::vector<std::string_view>&)>& body);

/// The same with parse(arguments) -> options, and run(options) -> exit status unless only help was asked for.
template <class Parse, class Run>
int run_program(const Program& program, int argc, char** argv, Parse parse, Run run) {
  return run_guarded(program, argc, argv, [&](const auto& arguments) {
    const auto options = parse(arguments);
    if (!options.help) return run(options);
    std::fputs(program.usage, stdout);
    return 0;
  });
}

}  // namespace apps
