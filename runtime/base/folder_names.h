// The names in a folder. Not by std::filesystem: libstdc++ ends the program where its iterators find no memory.
#pragma once

#include <dirent.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lbhm {

/// Sorted; none if the folder cannot be read. Throws std::bad_alloc.
inline std::vector<std::string> folder_names(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  while (const dirent* const entry = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace lbhm
