// What the boxes tell each other about fields. A box reads its neighbours and writes itself, so the boxes can be worked
// on in any order and by any number of threads.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "apps/pic/plasma.h"

namespace pic {

/// Copies the neighbours' cells into the guard cells of box `number`.
void fill_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list);

/// Adds what particles of the neighbours deposited in their guard cells to the cells of box `number`.
void add_guards(Plasma& plasma, std::size_t number, std::initializer_list<Component> list);

}  // namespace pic
