// lbhm-choose: a problem on the standard input, its solution on the standard output (choose_json.h).
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>

#include "runtime/placement/choose/choose_json.h"

int main() {
  const std::string request{std::istreambuf_iterator<char>(std::cin), {}};
  const auto answer = lbhm::choose::answer(request);
  if (!answer) {
    std::fprintf(stderr, "lbhm-choose: %s\n", answer.error().message().c_str());
    return 1;
  }
  std::cout << *answer << '\n';
  return std::cout.flush() ? 0 : 1;
}
