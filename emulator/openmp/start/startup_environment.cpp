#include "emulator/openmp/start/startup_environment.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>
#include <string_view>
#include <vector>

namespace lbhm::openmp {
namespace {

/// libomp's own, GNU's and Intel's names, and those of the libraries that it opens.
constexpr std::array<std::string_view, 7> beginnings{"OMP_", "KMP_", "GOMP_", "LIBOMP", "MKL_", "MEMKIND_", "HWLOC_"};

bool is_read(std::string_view variable) {
  return std::ranges::any_of(beginnings, [&](std::string_view name) { return variable.starts_with(name); });
}

std::size_t count(char* const* variables) {
  std::size_t number = 0;
  while (variables[number]) ++number;
  return number;
}

// Without it small teams combine the lanes' parts of a reduction as they come, in real time. Not by setenv, which
// copies the whole environment to the program's heap, and which programs that this one starts would inherit.
constexpr char reductions[] = "KMP_DETERMINISTIC_REDUCTION=true";
constexpr std::array<std::string_view, 2> of_reductions{"KMP_DETERMINISTIC_REDUCTION=", "KMP_FORCE_REDUCTION="};

/// A setting of the user's stays.
bool user_orders_reductions(std::span<char* const> variables) {
  return std::ranges::any_of(variables, [](std::string_view variable) {
    return std::ranges::any_of(of_reductions, [&](std::string_view name) { return variable.starts_with(name); });
  });
}

constinit char** whole = nullptr;
constinit std::vector<char*>* visible = nullptr;  // kept: a thread may be reading it

}  // namespace

void hide_environment() {
  if (whole || !environ) return;
  try {
    visible = new std::vector<char*>;
    visible->reserve(count(environ) + 2);
  } catch (const std::bad_alloc&) { return; }  // it stays as it is
  for (char** variable = environ; *variable; ++variable) {
    if (is_read(*variable)) visible->push_back(*variable);
  }
  if (!user_orders_reductions(*visible)) visible->push_back(const_cast<char*>(reductions));  // nobody writes to it
  visible->push_back(nullptr);
  whole = environ;
  environ = visible->data();
}

void show_environment() {
  // Who changed the environment meanwhile (setenv copies it) has another one: it is theirs.
  if (whole && environ == visible->data()) environ = whole;
  whole = nullptr;
}

}  // namespace lbhm::openmp
