// The command line, option by option, with one way to refuse what cannot be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

inline constexpr unsigned max_threads = 1024;

/// The arguments after the program's name. All calls but next() are about the option that next() went to.
class Arguments {
 public:
  explicit Arguments(const std::vector<std::string_view>& arguments) : arguments_(arguments) {}

  /// Goes to the next option; false behind the last one.
  bool next();
  bool is(std::string_view option) const { return option_ == option; }
  /// The word that follows. Throws InputError if there is none.
  std::string_view word();
  /// The whole number that follows. Throws InputError unless it is one from `least` to `most`.
  std::uint64_t number(std::uint64_t least, std::uint64_t most);
  /// Throws InputError: there is no such option.
  [[noreturn]] void unknown() const;

 private:
  const std::vector<std::string_view>& arguments_;
  std::size_t at_ = 0;
  std::string_view option_;
};

/// What OpenMP would use.
unsigned default_threads();

/// What main() of every program does: `run` gets the arguments and returns an exit status; exceptions become one line
/// on the standard error and a status: 2 for InputError, 1 for std::bad_alloc, with `smaller`, the advice how to need
/// less memory.
int run_program(const char* name, const char* smaller, int argc, char** argv,
                const std::function<int(const std::vector<std::string_view>&)>& run);

}  // namespace apps
