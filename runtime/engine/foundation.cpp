// From settings to a policy, a machine and the files that they need.
#include "runtime/engine/machines/machine_table.h"
#include "runtime/engine/state.h"
#include "runtime/knowledge/input_files.h"
#include "runtime/knowledge/model_choice.h"
#include "runtime/placement/placement_file.h"

namespace lbhm::engine {
namespace {

/// The policy and what it needs. Errors: those of make_policy; invalid_argument where settings contradict it.
Result<PolicyOptions> choose_policy(Foundation& made) {
  Settings& settings = made.settings;
  PolicyOptions options{.pace = settings.pace,
                        .without = settings.without,
                        .sicm_chooser = settings.sicm_chooser,
                        .sicm_piece = settings.sicm_piece,
                        .sicm_keep = settings.sicm_keep};
  auto policy = make_policy(settings.policy, options);
  if (!policy) return std::unexpected(policy.error());
  made.policy = std::move(*policy);
  made.needs = made.policy->needs({});
  if (made.needs.memory_mode) settings.memory_mode = true;
  if (!settings.memory_mode || made.needs.leaves_pages) return options;
  return failure(StatusCode::invalid_argument,
                 "LBHM_MEMORY_MODE=on: the hardware decides what is in fast memory, so policy " + settings.policy +
                     " has nothing to place; choose policy memory-mode (lbhm run --policy; without lbhm "
                     "LBHM_POLICY), or unset it");
}

/// Files that settings name. Errors: theirs.
Status read_sources(Foundation& made) {
  const Settings& settings = made.settings;
  const std::string& machine = made.machine->topology().name;
  auto stencils = read_alpha_file(settings.alpha, machine);
  if (!stencils) return stencils.error();
  auto profile = read_profile(settings.profile, machine);
  if (!profile) return profile.error();
  made.sources = {.stencils = std::move(*stencils),
                  .profile = std::move(*profile),
                  .scaling = settings.scaling == "cosine" ? InputScaling::cosine : InputScaling::sizes};
  return {};
}

/// A policy that follows a script gets it when the machine is known. Errors: those of read_placement and make_policy;
/// malformed where it is to be of whole objects.
Status follow_script(Foundation& made, PolicyOptions options) {
  const bool named = made.needs.takes_script && !made.settings.placement.empty();
  if (!made.needs.script && !named) return {};
  const Topology& topology = made.machine->topology();
  auto script = read_placement(made.settings.placement, topology.tiers.size(), topology.page);
  if (!script) return script.error();
  if (named && !script->whole)
    return {StatusCode::malformed, "LBHM_PLACEMENT=" + made.settings.placement +
                                       ": it is for policy oracle; for policy " + made.settings.policy +
                                       " make one with lbhm optimize, or unset it"};
  options.script = std::move(*script);
  auto policy = make_policy(made.settings.policy, options);
  if (!policy) return policy.error();
  made.policy = std::move(*policy);
  return {};
}

/// Where pages appear. Errors: those of the machine; that it leaves unmanaged pages to the system is none.
Status prefer_tiers(Machine& machine, const Needs& needs) {
  if (Status status = machine.prefer_default(needs.first_touch); !status.ok() || needs.unmanaged_touch.empty())
    return status;
  Status status = machine.prefer_unmanaged(needs.unmanaged_touch);
  return status.code() == StatusCode::unavailable ? Status() : status;
}

/// Of a model that a setting names; programs go on without one, and read it late. Errors: those of read_model.
Status check_model(const Foundation& made) {
  const std::string& model = made.settings.model;
  if (model.empty() || model == "analytic" || model == "shipped") return {};
  const auto trained = read_model(model, made.machine->topology());
  return trained ? Status() : Status(trained.error().code(), "LBHM_MODEL=" + model + ": " + trained.error().message());
}

}  // namespace

Result<Foundation> lay_foundation() {
  auto settings = read_settings();
  if (!settings) return std::unexpected(settings.error());
  Foundation made{
      .settings = std::move(*settings), .policy = {}, .needs = {}, .strategy = {}, .machine = {}, .sources = {}};
  auto options = choose_policy(made);
  if (!options) return std::unexpected(options.error());
  auto strategy = make_allocation_strategy(made.settings.allocation_strategy);
  if (!strategy) return std::unexpected(strategy.error());
  made.strategy = std::move(*strategy);
  auto machine = make_machine(made.settings, {.samples = made.needs.forecast || made.needs.samples,
                                              .events = made.needs.forecast || made.needs.events,
                                              .unlimited = made.needs.unlimited});
  if (!machine) return std::unexpected(machine.error());
  made.machine = std::move(*machine);
  made.virtual_time = made.machine->execution().virtual_time();
  made.placing = made.machine->topology().tiers.size() > 1;
  if (Status status = read_sources(made); !status.ok()) return std::unexpected(status);
  if (Status status = follow_script(made, std::move(*options)); !status.ok()) return std::unexpected(status);
  made.needs = made.policy->needs(made.machine->topology());
  if (Status status = prefer_tiers(*made.machine, made.needs); !status.ok()) return std::unexpected(status);
  if (!made.needs.scatter) return made;
  const Status status = made.machine->scatter(made.settings.fast_share, made.settings.seed);
  return status.ok() ? Result<Foundation>(std::move(made)) : std::unexpected(status);
}

Status try_start() {
  const Engine* const running = engine();
  if (running) return check_model(running->base);
  const auto made = lay_foundation();
  if (!made) return made.error();
  PatternCatalog catalog;
  const Status status = read_patterns_file(made->settings.patterns, catalog);
  return status.ok() ? check_model(*made) : status;
}

}  // namespace lbhm::engine
