// Are the presets, and the user's own machine files, found and accepted?
#include "emulator/description/user_machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "emulator/description/preset.h"
#include "emulator/emulator.h"

namespace lbhm::emulator {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* presets = LBHM_TEST_PRESETS;

TEST(Presets, EveryOneIsAccepted) {
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(presets)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".json" || path.stem().extension() == ".schema") continue;
    const Status status = check_machine_file(path.string());
    EXPECT_TRUE(status.ok()) << status.message();
    ++found;
  }
  EXPECT_GE(found, 9u);
}

class UserMachines : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "lbhm-machines-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    data_ = pattern;
    setenv("XDG_DATA_HOME", data_.c_str(), 1);
    fs::create_directories(user_machines());
  }
  void TearDown() override {
    unsetenv("XDG_DATA_HOME");
    fs::remove_all(data_);
  }

  fs::path data_;
};

TEST_F(UserMachines, AreFoundByName) {
  fs::copy(fs::path(presets) / "cxl.json", user_machines() / "mine.json");
  const auto machine = load_machine("mine", presets);
  ASSERT_TRUE(machine) << machine.error().message();
  EXPECT_EQ(machine->topology.name, "cxl");
}

TEST_F(UserMachines, DoNotHideAPreset) {
  std::ofstream(user_machines() / "optane.json") << "not JSON";
  EXPECT_TRUE(load_machine("optane", presets));
}

TEST_F(UserMachines, AreNamedWhenAnotherIsAskedFor) {
  fs::copy(fs::path(presets) / "cxl.json", user_machines() / "mine.json");
  EXPECT_THAT(load_machine("yours", presets).error().message(), HasSubstr("your own are: mine;"));
}

TEST_F(UserMachines, AComplaintNamesTheFile) {
  const fs::path file = user_machines() / "broken.json";
  std::ofstream(file) << "{}";
  const Status status = check_machine_file(file.string());
  EXPECT_EQ(status.code(), StatusCode::malformed);
  EXPECT_THAT(status.message(), HasSubstr(file.string()));
}

TEST(UserMachinesFolder, IsInTheHomeWithoutTheVariable) {
  unsetenv("XDG_DATA_HOME");
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(user_machines(), "/home/somebody/.local/share/lbhm/machines");
}

}  // namespace
}  // namespace lbhm::emulator
