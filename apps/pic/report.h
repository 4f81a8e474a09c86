// What the program prints: the same text for the same deck on every run. Times go to standard error.
#pragma once

#include <string>

#include "apps/pic/deck.h"
#include "apps/pic/plasma.h"
#include "apps/pic/verify.h"

namespace pic {

void print_header(const Deck& deck, unsigned threads);
void print_plasma(const std::string& name, const Plasma& plasma, const Drift& drift);

}  // namespace pic
