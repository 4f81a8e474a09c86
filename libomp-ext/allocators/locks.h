// All locks of this room, in the order in which one may be taken while another is held. The child of a fork(2) uses
// what they guard.
#pragma once

#include <mutex>

namespace lbhm::allocators {

inline constinit std::mutex look_up_mutex;  ///< real_openmp
inline constinit std::mutex table_mutex;    ///< allocator_table
inline constinit std::mutex map_mutex;      ///< address_map

}  // namespace lbhm::allocators
