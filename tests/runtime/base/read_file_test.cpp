// Does a setting that names anything but a file of ours give a sentence, at once?
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "runtime/base/files.h"
#include "temporary_folder.h"

namespace lbhm {
namespace {

using testing::HasSubstr;

class ReadFile : public TemporaryFolder {
 protected:
  static std::string complaint(const std::string& path, Bytes most = MiB(1)) {
    const auto content = read_file(path, most);
    return content ? "it was read" : content.error().message();
  }
};

TEST_F(ReadFile, GivesTheContentOfAFileAndOfWhatALinkLeadsTo) {
  const std::string content = std::string(70'000, 'x') + '\0' + "end";
  const std::string path = put("file", content);
  std::filesystem::create_symlink(path, folder_ + "link");
  EXPECT_EQ(read_file(path, MiB(1)).value(), content);
  EXPECT_EQ(read_file(folder_ + "link", MiB(1)).value(), content);
  EXPECT_EQ(read_file(put("empty", ""), MiB(1)).value(), "");
}

TEST_F(ReadFile, FilesOfTheKernelHaveNoSizeAndAreRead) {
  EXPECT_THAT(read_file("/proc/self/status", MiB(1)).value(), HasSubstr("VmRSS"));
}

TEST_F(ReadFile, WhatIsNoFileIsNamedAndNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ + "pipe").c_str(), 0600), 0);
  EXPECT_EQ(complaint(folder_ + "pipe"), "cannot be read (it is a pipe, not a file)");
  EXPECT_EQ(complaint(folder_), "cannot be read (it is a folder, not a file)");
  EXPECT_EQ(complaint("/dev/zero"), "cannot be read (it is a device, not a file)");
  EXPECT_EQ(complaint(folder_ + "absent"), "cannot be read (No such file or directory)");
}

TEST_F(ReadFile, WhatIsTooLargeIsRefusedBeforeItIsInMemory) {
  const std::string path = put("file", "");
  ASSERT_EQ(truncate(path.c_str(), std::int64_t{1} << 40), 0);
  EXPECT_EQ(complaint(path), "it is larger than 1 MiB");
  EXPECT_EQ(read_file(put("just", std::string(1 << 20, 'x')), MiB(1)).value().size(), 1u << 20);
  EXPECT_EQ(complaint(put("more", std::string((1 << 20) + 1, 'x'))), "it is larger than 1 MiB");
}

}  // namespace
}  // namespace lbhm
