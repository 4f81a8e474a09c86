// Is a model file taken as it is meant, and refused with the reason if it is not one?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "model/learned/learned.h"
#include "model/learned/trees.h"
#include "model/model.h"
#include "tests/model/model_files.h"

namespace lbhm {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using Curve = std::array<double, TaskTimes::points>;

Curve curve_of(const Json& file, double ipc) {
  const auto model = parse_model(file.dump());
  EXPECT_TRUE(model) << model.error().message();
  CorrelationFeatures features;
  features.values.fill(std::numeric_limits<double>::quiet_NaN());
  features.values[1] = ipc;
  Curve curve{};
  if (model) model->f->evaluate(features, {}, curve);
  return curve;
}

std::string complaint_about(const Json& file) {
  const auto model = parse_model(file.dump());
  if (model) return "accepted";
  EXPECT_EQ(model.error().code(), StatusCode::malformed);
  return model.error().message();
}

/// The small model with another value at a place of it.
Json with(const std::string& place, Json value) {
  Json file = small_model();
  file[Json::json_pointer(place)] = std::move(value);
  return file;
}

const std::string tree = "/xgboost/learner/gradient_booster/model/trees/0";

TEST(TrainedModel, PredictsWhatItsTreesSay) {
  const Curve low = curve_of(small_model(), 1), high = curve_of(small_model(), 1.5);
  EXPECT_EQ(low[0], 0.625);
  EXPECT_EQ(low[9], 0.625);
  EXPECT_EQ(low[10], 0.75) << "x < 0.5 is false at 0.5";
  EXPECT_EQ(low[20], 0.75);
  for (const double f : high) EXPECT_EQ(f, 0) << "x < 1.5 is false at 1.5";
}

TEST(TrainedModel, OfTheSlopeSaysOneWhereNothingIsFast) {
  Json file = small_model();
  file["schema"] = "lbhm.model/2";
  file["target"] = "(f - 1) / r_dram_acc";
  const Curve f = curve_of(file, 1);
  EXPECT_EQ(f[0], 1);
  EXPECT_EQ(f[4], 1 + 0.625 * 0.2);
  EXPECT_EQ(f[20], 1.75);
  file["target"] = "f";
  EXPECT_EQ(curve_of(file, 1)[20], 0.75);
  file["target"] = "times";
  EXPECT_THAT(complaint_about(file), HasSubstr("target"));
}

TEST(TrainedModel, SaysHowTheFastOnlyTimeDiffersFromTheDerivedOne) {
  Json file = small_model();
  CorrelationFeatures features;
  const auto ipc = std::ranges::find(CorrelationFeatures::names, std::string_view("IPC"));
  features.values[static_cast<std::size_t>(ipc - CorrelationFeatures::names.begin())] = 1;
  EXPECT_EQ(parse_model(file.dump())->f->fast_time(features), 1) << "nothing is known";
  file["fast_time"] = file["xgboost"];
  EXPECT_EQ(parse_model(file.dump())->f->fast_time(features), std::exp(0.75));
  file["fast_time"] = 3;
  EXPECT_THAT(complaint_about(file), HasSubstr("fast_time"));
}

TEST(TrainedModel, AMissingEventGoesWhereXgboostSendsIt) {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(curve_of(small_model(), missing)[0], 0);
  EXPECT_EQ(curve_of(with(tree + "/default_left/0", 1), missing)[0], 0.625);
  EXPECT_EQ(curve_of(small_model(), std::numeric_limits<double>::infinity())[0], 0) << "no event is infinite";
}

TEST(TrainedModel, IsNamedByMachineAndContent) {
  const auto model = parse_model(small_model().dump()),
             other = parse_model(with(tree + "/split_conditions/2", 1).dump());
  ASSERT_TRUE(model && other);
  EXPECT_EQ(model->machine, "optane");
  EXPECT_EQ(model->machine_fingerprint, "0123456789abcdef");
  EXPECT_THAT(std::string(model->f->name()), testing::MatchesRegex("optane/[0-9a-f]{16}"));
  EXPECT_NE(model->f->name(), other->f->name());
}

TEST(TrainedModel, UnderstandsTheBaseScoreOfEveryVersionOfXgboost) {
  const std::string score = "/xgboost/learner/learner_model_param/base_score";
  for (const Json& value : {Json("5E-1"), Json("[5E-1]"), Json("0.5"), Json(0.5)})
    EXPECT_EQ(curve_of(with(score, value), 1)[0], 0.625) << value;
  for (const Json& value :
       {Json(""), Json("[]"), Json("half"), Json("[1,2]"), Json(nullptr), Json("nan"), Json("1E99")})
    EXPECT_THAT(complaint_about(with(score, value)), HasSubstr("base_score")) << value;
}

TEST(TrainedModel, ThatThisLbhmDoesNotUnderstandIsRefusedByName) {
  const std::string learner = "/xgboost/learner";
  for (const auto& [place, value, word] : {
           std::tuple{std::string("/schema"), Json("lbhm.model/3"), "lbhm.model/3"},
           {"/features/0", Json("L9_MISS"), "L9_MISS"},
           {"/features/1", Json("IPC"), "r_dram_acc"},
           {"/features", Json::array(), "features must be a list of 1 to"},
           {"/features", Json{"IPC", "IPC", "r_dram_acc"}, "there twice"},
           {"/features", Json{"IPC", "LLC_MPKI", "r_dram_acc"}, "num_feature is 2, but 'features' lists 3"},
           {"/machine_fingerprint", Json("xyz"), "machine_fingerprint"},
           {learner + "/feature_names", Json{"r_dram_acc", "IPC"}, "feature_names"},
           {learner + "/objective/name", Json("binary:logistic"), "binary:logistic"},
           {learner + "/gradient_booster/name", Json("dart"), "dart"},
           {learner + "/gradient_booster/model/gbtree_model_param/num_parallel_tree", Json("4"), "num_parallel_tree"},
           {learner + "/gradient_booster/model/tree_info/0", Json(1), "tree_info"},
           {learner + "/gradient_booster/model/trees", Json::array(), "trees must be a list of 1 to"},
           {learner + "/learner_model_param/num_target", Json("2"), "num_target"},
           {tree + "/split_type/1", Json(1), "category"},
           {tree + "/tree_param/size_leaf_vector", Json("3"), "size_leaf_vector"},
       })
    EXPECT_THAT(complaint_about(with(place, value)), HasSubstr(word)) << place;
}

TEST(TrainedModel, WhoseTreesAreNoTreesIsRefused) {
  for (const auto& [place, value, word] : {
           std::tuple{std::string("/left_children/1"), Json(0), "not behind its parent"},
           {"/left_children/1", Json(1), "not behind its parent"},
           {"/right_children/0", Json(5), "not behind its parent"},
           {"/right_children/0", Json(-1), "not behind its parent"},
           {"/right_children/0", Json(2.5), "not behind its parent"},
           {"/right_children/0", Json(1), "two parents"},
           {"/right_children", Json{2, 4, -1}, "no list of 5 numbers"},
           {"/split_indices/0", Json(2), "none of the features"},
           {"/split_indices/0", Json(-1), "none of the features"},
           {"/split_conditions/3", Json("x"), "no number"},
           {"/split_conditions/3", Json(1e300), "too large"},
           {"/tree_param/num_nodes", Json("0"), "num_nodes"},
           {"/tree_param/num_nodes", Json("99999999999"), "at most"},
       })
    EXPECT_THAT(complaint_about(with(tree + place, value)), HasSubstr(word)) << place << " " << value;
}

TEST(TrainedModel, ThatIsCutShortAnywhereIsRefused) {
  const std::string whole = small_model().dump();
  for (std::size_t length = 0; length < whole.size(); ++length)
    ASSERT_FALSE(parse_model(std::string_view(whole).substr(0, length))) << length;
}

TEST(TrainedModel, ThatLacksAnyUsedKeyIsRefusedWithItsName) {
  for (const char* key : {"schema", "machine", "machine_fingerprint", "features", "xgboost"}) {
    Json file = small_model();
    file.erase(key);
    EXPECT_EQ(complaint_about(file), std::string(key) + " is missing");
  }
  for (const char* key : {"left_children", "right_children", "split_indices", "split_conditions", "default_left",
                          "split_type", "tree_param"}) {
    Json file = small_model();
    file[Json::json_pointer(tree)].erase(key);
    EXPECT_THAT(complaint_about(file), HasSubstr(std::string(key) + " is missing"));
  }
}

TEST(TrainedModel, ThatIsHugeIsRefusedBeforeItIsRead) {
  const auto model = parse_model(std::string(largest_model.value + 1, ' '));
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().message(), HasSubstr("64 MiB"));
}

TEST(TrainedModel, ThatWouldTakeMuchMemoryIsRefusedBeforeItIsParsed) {
  std::string deep, wide = "[0";
  deep.resize(20'000'000, '[');
  for (int i = 0; i < 17'000'000; ++i) wide += ",0";
  EXPECT_THAT(parse_model(deep).error().message(), HasSubstr("nested"));
  EXPECT_THAT(parse_model(wide).error().message(), HasSubstr("values"));
}

TEST(TrainedModel, TextsMayHaveBracketsAndCommas) {
  Json file = small_model();
  file["made_by"] = {{"command", std::string(100, '[') + "\\\"{,\\"}};
  EXPECT_EQ(complaint_about(file), "accepted");
}

TEST(TrainedModel, PropertyOnePointAtATimeIsTheCurve) {
  std::mt19937 random(5);
  const auto any = [&random] { return static_cast<float>(random() % 21) / 20; };
  model::Trees trees{.base = 0.5F, .nodes = {}, .roots = {}};
  const auto grow = [&](auto&& self, int depth) -> void {
    const std::size_t mine = trees.nodes.size();
    trees.nodes.push_back({.value = any(), .column = static_cast<std::uint16_t>(random() % 3)});
    if (depth == 0) return;
    self(self, depth - 1);
    trees.nodes[mine].right = static_cast<std::uint32_t>(trees.nodes.size());
    self(self, depth - 1);
  };
  for (int i = 0; i < 50; ++i) {
    trees.roots.push_back(static_cast<std::uint32_t>(trees.nodes.size()));
    grow(grow, 6);
  }
  std::array<float, TaskTimes::points> points{}, curve{};
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = static_cast<float>(TaskTimes::share(i));
  for (int trial = 0; trial < 200; ++trial) {
    const std::array row{any(), trial % 3 == 0 ? std::nanf("") : any()};
    trees.predict(row, points, curve);
    for (std::size_t i = 0; i < points.size(); ++i) {
      float alone = 0;
      trees.predict(row, std::span(&points[i], 1), std::span(&alone, 1));
      ASSERT_EQ(alone, curve[i]) << i;
    }
  }
}

}  // namespace
}  // namespace lbhm
