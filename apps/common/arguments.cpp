#include "apps/common/arguments.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>
#include <new>

#include "apps/common/error.h"

namespace apps {

bool Arguments::next() {
  if (at_ == arguments_.size()) {
    if (common_.threads == 0) common_.threads = static_cast<unsigned>(std::max(omp_get_max_threads(), 1));
    return false;
  }
  option_ = arguments_[at_++];
  return true;
}

std::string_view Arguments::word() {
  if (at_ == arguments_.size()) throw InputError(std::string(option_) + ": a value must follow. See --help.");
  return arguments_[at_++];
}

std::uint64_t Arguments::number(std::uint64_t least, std::uint64_t most) {
  const std::string_view text = word();
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most) {
    throw InputError(std::string(option_) + ": '" + std::string(text) + "' must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + ".");
  }
  return number;
}

void Arguments::unknown() const { throw InputError("unknown option '" + std::string(option_) + "'. See --help."); }

void Arguments::common() {
  if (is("--threads")) {
    common_.threads = static_cast<unsigned>(number(1, max_threads));
  } else if (is("--seed")) {
    common_.seed = number(0, std::numeric_limits<std::uint32_t>::max());
  } else if (is("--times")) {
    common_.times = true;
  } else if (is("--help")) {
    common_.help = true;
  } else {
    unknown();
  }
}

int run_guarded(const Program& program, int argc, char** argv,
                const std::function<int(const std::vector<std::string_view>&)>& body) {
  try {
    return body(std::vector<std::string_view>(argv + 1, argv + argc));
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s: %s\n", program.name, error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: not enough memory. %s\n", program.name, program.smaller);
    return 1;
  }
}

}  // namespace apps
