// Does a machine get the model that was trained on it, and the formula where there is none?
#include "runtime/knowledge/model_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/model/model_files.h"

namespace lbhm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Topology optane() {
  Topology machine;
  machine.name = "optane";
  machine.fingerprint = "0123456789abcdef";
  return machine;
}

/// What somebody's choice came to.
struct Outcome {
  std::string name, refusal, said;
};

class ModelChoiceTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << content;
    return path;
  }

  /// Asks twice: nothing may be said twice.
  Outcome choose(const std::string& setting, const Topology& machine = optane()) const {
    testing::internal::CaptureStderr();
    ModelChoice choice;
    choice.choose(setting, folder_, machine);
    const Correlation& f = choice.choose(setting, folder_, machine);
    EXPECT_EQ(f.name(), choice.name());
    return {std::string(f.name()), choice.refusal(), testing::internal::GetCapturedStderr()};
  }

  // Tests run side by side, each in a process of its own.
  const std::string folder_ = testing::TempDir() + "/lbhm-models-" + std::to_string(getpid());
};

TEST_F(ModelChoiceTest, AMachineGetsItsShippedModel) {
  write("optane.json", small_model().dump());
  const Outcome outcome = choose("shipped");
  EXPECT_THAT(outcome.name, StartsWith("optane/"));
  EXPECT_THAT(outcome.refusal, IsEmpty());
  EXPECT_THAT(outcome.said, IsEmpty());
}

TEST_F(ModelChoiceTest, AMachineWithoutAModelGetsTheFormulaWithoutAWord) {
  write("optane.json", small_model().dump());
  Topology cxl = optane(), host = optane();
  cxl.name = "cxl";
  host.fingerprint = "";
  for (const Topology& machine : {cxl, host}) {
    const Outcome outcome = choose("shipped", machine);
    EXPECT_EQ(outcome.name, "analytic");
    EXPECT_THAT(outcome.refusal + outcome.said, IsEmpty());
  }
}

TEST_F(ModelChoiceTest, TheFormulaIsTheDefaultAndCanBeAskedFor) {
  write("optane.json", small_model().dump());
  EXPECT_EQ(choose("").name, "analytic");
  EXPECT_EQ(choose("analytic").name, "analytic");
}

TEST_F(ModelChoiceTest, AFileCanBeNamed) {
  const Outcome outcome = choose(write("mine.json", small_model().dump()));
  EXPECT_THAT(outcome.name, StartsWith("optane/"));
}

TEST_F(ModelChoiceTest, AShippedModelOfOtherNumbersIsOnlyRemarkedOn) {
  write("optane.json", small_model().dump());
  Topology changed = optane();
  changed.fingerprint = "fedcba9876543210";
  const Outcome outcome = choose("shipped", changed);
  EXPECT_EQ(outcome.name, "analytic");
  EXPECT_THAT(outcome.refusal, AllOf(HasSubstr("fedcba9876543210"), HasSubstr("lbhm train --machine optane")));
  EXPECT_THAT(outcome.said, IsEmpty());
}

TEST_F(ModelChoiceTest, WhatCannotBeUsedIsNamedOnceWithTheReasonAndTheRemedy) {
  nlohmann::json of_cxl = small_model(), of_others = small_model();
  of_cxl["machine"] = "cxl";
  of_others["machine_fingerprint"] = "fedcba9876543210";
  for (const auto& [file, reason] : {
           std::pair{write("cxl.json", of_cxl.dump()), "trained on machine cxl, and this is optane"},
           {write("other.json", of_others.dump()), "other numbers"},
           {write("cut.json", small_model().dump().substr(0, 500)), "cut short"},
           {write("empty.json", ""), "not valid JSON"},
           {write("list.json", "[]"), "schema is missing"},
           {folder_ + "/none.json", "No such file"},
           {folder_, "cannot be read"},
       }) {
    const Outcome outcome = choose(file);
    EXPECT_EQ(outcome.name, "analytic") << file;
    EXPECT_THAT(outcome.refusal, AllOf(StartsWith("LBHM_MODEL=" + file), HasSubstr(reason), HasSubstr("lbhm train")));
    EXPECT_EQ(outcome.said, "lbhm: " + outcome.refusal + "\n");
  }
}

TEST_F(ModelChoiceTest, ADeviceThatNeverEndsIsRefused) {
  EXPECT_THAT(choose("/dev/zero").refusal, HasSubstr("it is a device, not a file"));
}

TEST_F(ModelChoiceTest, ABrokenShippedModelIsSaid) {
  const std::string file = write("optane.json", "{");
  EXPECT_THAT(choose("shipped").said, AllOf(HasSubstr("shipped model"), HasSubstr(file)));
}

}  // namespace
}  // namespace lbhm
