
#include <filesystem>

#include "runtime/base/files.h"
#include "runtime/base/guarded.h"
#include "runtime/knowledge/model_choice.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm {
namespace {

/// The machine's shipped model, if there is one.
std::string shipped_file(const std::string& folder, const Topology& machine) {
  const std::string file = folder + "/" + machine.name + ".json";
  std::error_code ignored;
  const bool plain_name = machine.name.find('/') == std::string::npos;
  return plain_name && !machine.fingerprint.empty() && std::filesystem::exists(file, ignored) ? file : "";
}

}  // namespace

Result<TrainedModel> read_model(const std::string& path, const Topology& machine) {
  const std::string remedy = "; make it with lbhm train --machine " + machine.name + ", or set LBHM_MODEL=analytic";
  const auto content = read_file(path, largest_model);
  if (!content) return failure(content.error().code(), content.error().message() + remedy);
  auto model = parse_model(*content);
  if (!model) return failure(model.error().code(), model.error().message() + remedy);
  if (model->machine != machine.name)
    return failure(StatusCode::invalid_argument,
                   "it was trained on machine " + model->machine + ", and this is " + machine.name + remedy);
  if (model->machine_fingerprint != machine.fingerprint)
    return failure(StatusCode::invalid_argument, "it was trained on a machine " + machine.name +
                                                     " with other numbers (fingerprint " + model->machine_fingerprint +
                                                     ", this one has " + machine.fingerprint + ")" + remedy);
  return model;
}

const Correlation& ModelChoice::choose(const std::string& setting, const std::string& shipped,
                                       const Topology& machine) {
  if (chosen_ || setting.empty() || setting == "analytic") return current();
  chosen_ = true;
  const bool of_machine = setting == "shipped";
  const std::string file = of_machine ? shipped_file(shipped, machine) : setting;
  if (file.empty()) return current();
  const own_memory::Reserve reserve;
  auto model = read_model(file, machine);
  if (model && reserve.drawn()) model = failure(StatusCode::no_memory, "there is no memory for it; raise ulimit -v");
  if (model) {
    trained_ = std::move(model->f);
    return current();
  }
  refusal_ = (of_machine ? "the shipped model " : "LBHM_MODEL=") + file + ": " + model.error().message() +
             " (predictions are made with the analytic f)";
  // A machine file with the name of a preset and other numbers is nobody's mistake: a remark in the report will do.
  const bool foreign = model.error().code() == StatusCode::invalid_argument;
  if (!of_machine || !foreign) say(refusal_);
  return current();
}

}  // namespace lbhm
