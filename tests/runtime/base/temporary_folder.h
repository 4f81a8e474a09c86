// A folder that goes with its test.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lbhm {

class TemporaryFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "lbhm-files-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name + "/";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ + name) << content;
    return folder_ + name;
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
  }

  std::string folder_;  ///< with a '/' at its end
};

}  // namespace lbhm
