#include "runtime/engine/model_file.h"

#include "runtime/base/files.h"

namespace lbhm::engine {

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

}  // namespace lbhm::engine
