// A program as a user starts it, without LB-HM: exit status, both outputs, files in a folder of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace apps {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

inline std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

class ProgramTest : public ::testing::Test {
 protected:
  explicit ProgramTest(std::string program) : program_(std::move(program)) {
    std::string pattern = (std::filesystem::temp_directory_path() / "lbhm-program-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~ProgramTest() override { std::filesystem::remove_all(folder); }

  Outcome run(const std::string& arguments) const {
    const std::string command =
        program_ + " " + arguments + " >" + (folder / "out").string() + " 2>" + (folder / "err").string();
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content("out"), content("err")};
  }

  /// The path of a new file with this text.
  std::string file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder / name;
    std::ofstream(path) << text;
    return path.string();
  }

  std::filesystem::path folder;

 private:
  std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder / name).rdbuf();
    return text.str();
  }

  std::string program_;
};

}  // namespace apps
