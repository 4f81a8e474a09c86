#include "runtime/engine/report_blocks.h"

#include <cstdio>

namespace lbhm::engine {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016zx", static_cast<std::size_t>(value));
  return text;
}

Json counter_json(const lbhm_block& block, std::uint32_t number, const std::string& function) {
  const bool independent = (block.flags & LBHM_BLOCK_INPUT_INDEPENDENT) != 0;
  return {{"counter", number},
          {"function", function},
          {"lines", block.first_line ? Json({block.first_line, block.last_line}) : Json(nullptr)},
          {"instructions", block.instructions},
          {"slots", block.slots},
          {"bytes", block.bytes},
          {"depth", block.depth},
          {"per_call", independent ? Json(block.per_call) : Json(nullptr)}};
}

}  // namespace

Json task_blocks_json(const TaskRecord& task) {
  Json blocks = Json::array();
  for (const auto& [counter, executions] : task.blocks) blocks.push_back(Json::array({counter, executions}));
  return blocks;
}

Json modules_json() {
  Json modules = Json::array();
  for (const BlockModule& module : block_modules()) {
    Json counters = Json::array();
    for (std::uint32_t i = 0; i < module.blocks.size(); ++i)
      counters.push_back(counter_json(module.blocks[i], module.first + i, module.functions[i]));
    modules.push_back({{"id", hex(module.id)}, {"source", module.source}, {"counters", std::move(counters)}});
  }
  return modules;
}

}  // namespace lbhm::engine
