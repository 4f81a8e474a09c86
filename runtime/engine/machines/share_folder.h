// Where LB-HM's own files are.
#pragma once

#include <string>

namespace lbhm {

/// <prefix>/lib/liblbhm.so finds its files in <prefix>/share/lbhm/`name`: "machines", "models".
std::string share_folder(const std::string& name);

}  // namespace lbhm
