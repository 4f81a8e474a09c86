// A program from the outside: exit status, both outputs.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace apps_test {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

inline std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

/// Runs a program in a folder of its own.
class ProgramTest : public ::testing::Test {
 protected:
  explicit ProgramTest(std::string program) : program_(std::move(program)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "lbhm-app-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder); }

  Outcome run(const std::string& arguments) const {
    const std::string command =
        program_ + " " + arguments + " >" + (folder / "out").string() + " 2>" + (folder / "err").string();
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder / "out"), content(folder / "err")};
  }

  /// A file with this text; its path.
  std::string file(const std::string& text) const {
    const std::filesystem::path path = folder / "input";
    std::ofstream(path) << text;
    return path.string();
  }

  std::filesystem::path folder;

 private:
  static std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string program_;
};

}  // namespace apps_test
