// What the user gave cannot be used: the sentence goes to stderr and the program ends with status 2.
#pragma once

#include <stdexcept>

namespace apps {

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace apps
