#include "runtime/engine/machines/share_folder.h"

#include "runtime/base/own_folder.h"

namespace lbhm {

std::string share_folder(const std::string& name) { return own_folder() + "/../share/lbhm/" + name; }

}  // namespace lbhm
