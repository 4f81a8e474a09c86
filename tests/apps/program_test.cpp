// The program from the outside: exit status, both outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

class SpgemmProgram : public ::testing::Test {
 protected:
  SpgemmProgram() {
    std::string pattern = (std::filesystem::temp_directory_path() / "spgemm-XXXXXX").string();
    folder = mkdtemp(pattern.data());
  }
  ~SpgemmProgram() override { std::filesystem::remove_all(folder); }

  static std::string content(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  Outcome run(const std::string& arguments) const {
    const std::string command =
        SPGEMM_PROGRAM " " + arguments + " >" + (folder / "out").string() + " 2>" + (folder / "err").string();
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder / "out"), content(folder / "err")};
  }

  std::string file(const std::string& text) const {
    const std::filesystem::path path = folder / "m.mtx";
    std::ofstream(path) << text;
    return path.string();
  }

  std::filesystem::path folder;
};

std::string last_line(const std::string& text) { return text.substr(text.rfind('\n', text.size() - 2) + 1); }

TEST_F(SpgemmProgram, PrintsTheSameOnEveryRun) {
  const Outcome first = run("--kron 9 --threads 4 --inputs 3");
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, HasSubstr("kron 9 seed 3"));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run("--kron 9 --threads 4 --inputs 3").out, first.out);
}

TEST_F(SpgemmProgram, ChecksumDependsOnTheInputAndNotOnTheThreads) {
  const std::string expected = last_line(run("--kron 8 --threads 1").out);
  EXPECT_EQ(last_line(run("--kron 8 --threads 2").out), expected);
  EXPECT_EQ(last_line(run("--kron 8 --threads 12").out), expected);
  EXPECT_NE(last_line(run("--kron 8 --threads 2 --seed 2").out), expected);
}

TEST_F(SpgemmProgram, TimesGoToStandardError) {
  const Outcome outcome = run("--kron 6 --inputs 1 --threads 2 --times");
  EXPECT_THAT(outcome.err, HasSubstr("kron 6 seed 1: "));
  EXPECT_EQ(outcome.out, run("--kron 6 --inputs 1 --threads 2").out);
}

TEST_F(SpgemmProgram, MultipliesAMatrixFromAFile) {
  const std::string path = file("%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 2\n2 2 0.5\n3 1 -1\n");
  const Outcome outcome = run("--matrix " + path + " --threads 2 --inputs 2");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("permuted 2"));
  EXPECT_THAT(outcome.out, HasSubstr("checksum: 0x"));
}

TEST_F(SpgemmProgram, ManyMoreThreadsThanRowsAreHarmless) {
  EXPECT_EQ(run("--kron 3 --threads 40 --inputs 2").status, 0);
}

TEST_F(SpgemmProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string path = file("%%MatrixMarket matrix coordinate real general\n2 2 1\n5 1 1\n");
  for (const auto& [arguments, sentence] : {std::pair{"--matrix " + path, path + ":3: the row '5'"},
                                            std::pair{"--matrix " + path + ".gone", std::string(".gone: ")},
                                            std::pair{"--matrix " + folder.string(), std::string("not a file")},
                                            std::pair{std::string("--kron 0"), std::string("--kron: '0'")},
                                            std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(SpgemmProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--kron", "--matrix", "--inputs", "--threads", "--seed", "--times"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
