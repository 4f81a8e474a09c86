// Does a file of ours appear whole or not at all, wherever its path leads, and harm nothing that stands there?
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <thread>

#include "runtime/base/file_calls.h"
#include "runtime/base/files.h"
#include "temporary_folder.h"

namespace lbhm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Output : public TemporaryFolder {
 protected:
  static mode_t mode_of(const std::string& path) {
    struct stat about{};
    return lstat(path.c_str(), &about) == 0 ? about.st_mode : 0;
  }
};

TEST_F(Output, AppearsAtTheEndUnderItsNameOnly) {
  const mode_t before = umask(027);
  put("report", "old");
  {
    OutputFile file;
    ASSERT_TRUE(file.open(folder_ + "report").ok());
    file.write("new ", 4);
    file.write("one", 3);
    EXPECT_EQ(content(folder_ + "report"), "old");
    EXPECT_TRUE(file.close().ok());
  }
  umask(before);
  EXPECT_EQ(content(folder_ + "report"), "new one");
  EXPECT_EQ(mode_of(folder_ + "report"), static_cast<mode_t>(S_IFREG | 0640));
  EXPECT_THAT(names(), ElementsAre("report"));
}

TEST_F(Output, ThatIsNotClosedLeavesNothing) {
  {
    OutputFile file;
    ASSERT_TRUE(file.open(folder_ + "report").ok());
    file.write("x", 1);
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Output, OfALinkTakesThePlaceOfWhatItLeadsTo) {
  std::filesystem::create_directory(folder_ + "there");
  put("there/file", "old");
  std::filesystem::create_symlink("there/file", folder_ + "link");
  std::filesystem::create_symlink("there/made", folder_ + "dangling");
  EXPECT_TRUE(write_file(folder_ + "link", "new").ok());
  EXPECT_TRUE(write_file(folder_ + "dangling", "made").ok());
  EXPECT_TRUE(S_ISLNK(mode_of(folder_ + "link")));
  EXPECT_TRUE(S_ISLNK(mode_of(folder_ + "dangling")));
  EXPECT_EQ(content(folder_ + "there/file"), "new");
  EXPECT_EQ(content(folder_ + "there/made"), "made");
}

TEST_F(Output, LinksInACircleEnd) {
  std::filesystem::create_symlink("b", folder_ + "a");
  std::filesystem::create_symlink("a", folder_ + "b");
  EXPECT_THAT(write_file(folder_ + "a", "x").message(), HasSubstr("symbolic links"));
}

TEST_F(Output, OfAnotherUserWhereEverybodyMayWriteIsNotFollowed) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to make files of another user";
  put("treasure", "mine");
  std::filesystem::create_directory(folder_ + "tmp");
  ASSERT_EQ(chmod((folder_ + "tmp").c_str(), 01777), 0);
  std::filesystem::create_symlink(folder_ + "treasure", folder_ + "tmp/report");
  ASSERT_EQ(lchown((folder_ + "tmp/report").c_str(), 65534, 65534), 0);
  EXPECT_THAT(write_file(folder_ + "tmp/report", "x").message(), HasSubstr("link of another user"));
  EXPECT_EQ(content(folder_ + "treasure"), "mine");
}

TEST_F(Output, OfADeviceIsWrittenToIt) {
  const std::string null = folder_ + "null";
  if (mknod(null.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) GTEST_SKIP() << "needs root, to make a device";
  std::filesystem::create_symlink("null", folder_ + "link");
  EXPECT_TRUE(write_file(folder_ + "link", "x").ok());
  EXPECT_EQ(mode_of(null), static_cast<mode_t>(S_IFCHR | (0666 & ~022)));
  EXPECT_THAT(write_file("/dev/full", std::string(100'000, 'x')).message(), HasSubstr("No space left"));
}

TEST_F(Output, NothingIsMadeBelowDevAndProc) {
  EXPECT_FALSE(write_file("/dev/lbhm-output-test", "x").ok());
  EXPECT_FALSE(write_file("/proc/lbhm-output-test", "x").ok());
  EXPECT_EQ(mode_of("/dev/lbhm-output-test"), 0u);
}

TEST_F(Output, OfAFolderOrASocketIsRefused) {
  EXPECT_EQ(write_file(folder_, "x").message(), "it is a folder, not a file");
  EXPECT_EQ(write_file(folder_ + "new/", "x").message(), "it is a folder, not a file");
  ASSERT_EQ(mknod((folder_ + "socket").c_str(), S_IFSOCK | 0600, 0), 0);
  EXPECT_EQ(write_file(folder_ + "socket", "x").message(), "it is a socket, not a file");
  EXPECT_FALSE(write_file("", "x").ok());
  EXPECT_FALSE(write_file(folder_ + "no/such/folder", "x").ok());
}

TEST_F(Output, OfAPipeReachesItsReaderAndNeverWaitsForOne) {
  const std::string pipe = folder_ + "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(write_file(pipe, "x").message(), "nobody reads this pipe");

  const int end = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const std::string large(300'000, 'y');  // more than a pipe holds
  std::string seen;
  std::jthread reader([&] {
    fcntl(end, F_SETFL, 0);
    std::array<char, 4096> part;
    while (seen.size() < large.size()) {
      const ssize_t got = read(end, part.data(), part.size());
      if (got > 0) seen.append(part.data(), static_cast<std::size_t>(got));
    }
  });
  EXPECT_TRUE(write_file(pipe, large).ok());
  reader.join();
  close(end);
  EXPECT_EQ(seen, large);
}

/// The standard output is something else while it lives.
class StandardOutput {
 public:
  explicit StandardOutput(int file) : before_(dup(STDOUT_FILENO)) { dup2(file, STDOUT_FILENO); }
  ~StandardOutput() {
    dup2(before_, STDOUT_FILENO);
    close(before_);
  }
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;

 private:
  int before_;
};

TEST_F(Output, OfTheStandardOutputFollowsWhatIsThere) {
  const int file = open(put("out", "").c_str(), O_WRONLY);
  {
    const StandardOutput is(file);
    ASSERT_EQ(write(STDOUT_FILENO, "program\n", 8), 8);
    EXPECT_TRUE(write_file("-", "1\n").ok());
    EXPECT_TRUE(write_file("/dev/stdout", "2\n").ok());
    EXPECT_TRUE(write_file("/dev/fd/1", "3\n").ok());
    EXPECT_TRUE(write_file("/proc/self/fd/1", "4\n").ok());
    ASSERT_EQ(write(STDOUT_FILENO, "program\n", 8), 8);
  }
  close(file);
  EXPECT_EQ(content(folder_ + "out"), "program\n1\n2\n3\n4\nprogram\n");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

TEST_F(Output, ToAPipeThatNobodyReadsAnyMoreRaisesNoSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  Status status;
  {
    const StandardOutput is(ends[1]);
    status = write_file("-", "x");
  }
  close(ends[1]);
  EXPECT_THAT(status.message(), HasSubstr("Broken pipe"));
}

TEST_F(Output, BeyondTheLimitOfFileSizesRaisesNoSignalAndLeavesNothing) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{.rlim_cur = 4096, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const Status status = write_file(folder_ + "report", std::string(10'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(status.message(), HasSubstr("File too large"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Output, WhoseDescriptorTheProgramTookIsGivenUp) {
  OutputFile file;
  ASSERT_TRUE(file.open(folder_ + "counts").ok());
  int ours = -1;
  for (int i = 3; i < 100 && ours < 0; ++i) {
    std::error_code none;
    const auto leads = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(i), none);
    const bool regular = !none && leads.string().starts_with(folder_) && leads.string() + "/" != folder_;
    if (regular) ours = i;
  }
  ASSERT_GE(ours, 0);
  const int theirs = open(put("data", "").c_str(), O_WRONLY);
  ASSERT_EQ(dup2(theirs, ours), ours);  // as after closefrom(3) and open
  file.write("x", 1);
  EXPECT_THAT(file.close().message(), HasSubstr("has closed its descriptor"));
  EXPECT_EQ(content(folder_ + "data"), "");
  EXPECT_EQ(write(ours, "data", 4), 4) << "it is still open";
  close(ours);
  close(theirs);
}

volatile std::sig_atomic_t broken_pipes = 0;

TEST_F(Output, ASignalOfAnotherProcessMeanwhileIsTheProgramsAndThatOfAWriteIsNot) {
  std::signal(SIGPIPE, [](int) { broken_pipes = broken_pipes + 1; });
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  for (const bool sent : {false, true}) {
    broken_pipes = 0;
    {
      const files::WriteSignalsOff off;
      const pid_t child = fork();
      if (child == 0) _exit(sent ? kill(getppid(), SIGPIPE) : 0);
      waitpid(child, nullptr, 0);
      EXPECT_EQ(write(ends[1], "x", 1), -1);
    }
    EXPECT_EQ(broken_pipes, sent ? 1 : 0);
  }
  close(ends[1]);
  std::signal(SIGPIPE, SIG_DFL);
}

/// Last: from here on the numbers of descriptors stand for what they lead to now.
TEST_F(Output, OfADescriptorThatTheProgramHasGivenAnotherFileIsRefused) {
  remember_descriptors();
  const int file = open(put("data", "").c_str(), O_WRONLY);
  Status status;
  {
    const StandardOutput is(file);
    status = write_file("-", "report");
  }
  close(file);
  EXPECT_THAT(status.message(), HasSubstr("another file in place of descriptor 1"));
  EXPECT_EQ(content(folder_ + "data"), "");
}

}  // namespace
}  // namespace lbhm
