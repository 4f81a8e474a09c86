#include "apps/pic/fields.h"

#include <algorithm>
#include <utility>

namespace pic {
namespace {

// One row and column more than the guards: a position just below the upper border may be rounded onto it, and then a
// shape of three points ends there, with weight zero.
constexpr int border = 2 * guards + 1;

}  // namespace

Fields::Fields(const std::string& name, const Extent& extent)
    : stride(static_cast<std::size_t>(extent.cells[0] + border)),
      arrays([&]<std::size_t... I>(std::index_sequence<I...>) {
        constexpr std::array names{"Ex", "Ey", "Ez", "Bx", "By", "Bz", "Jx", "Jy", "Jz"};
        const std::size_t size = stride * static_cast<std::size_t>(extent.cells[1] + border);
        return std::array<apps::Array<double>, components>{apps::Array<double>(name + "." + names[I], size)...};
      }(std::make_index_sequence<components>())) {
  for (const apps::Array<double>& array : arrays) std::ranges::fill(array, 0.0);
}

}  // namespace pic
