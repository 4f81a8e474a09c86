// warpx-pm: the static placement of WarpX-PM (Ren, Luo, Peng, Wu, Li: "Optimizing Large-Scale Plasma Simulations on
// Persistent Memory-Based Heterogeneous Memory with Effective Data Placement Across Memory Hierarchy", ICS '21) for
// apps/pic. The paper ranks data objects by hand, by the phases of a time step in which they live (as the Merchandiser
// paper puts it, section 7.1: "manual analysis of the lifetime of data objects using program semantics").
//
// Our ranks are that analysis for apps/pic: the fields E, B and J live through the whole step and are met at random by
// every particle; positions and momenta live in two phases (push, deposition); weights in one; what sorting and
// exchange use in none of the two. The rank that does not fit gets an equal share for every box. Pages are placed when
// a phase begins and stay. Other programs: the objects in the order of the call.
//
// Not here: the paper's migration of particles in the background while other boxes compute, whose performance model we
// have no text of, and its software prefetching. Ranks of our own are an assumption about what its authors would do.
#include <array>

#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/whole_objects/static_placement.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr std::array lifetimes{NameRank{"Ex", 0}, NameRank{"Ey", 0}, NameRank{"Ez", 0},    NameRank{"Bx", 0},
                               NameRank{"By", 0}, NameRank{"Bz", 0}, NameRank{"Jx", 0},    NameRank{"Jy", 0},
                               NameRank{"Jz", 0}, NameRank{"x", 1},  NameRank{"y", 1},     NameRank{"ux", 1},
                               NameRank{"uy", 1}, NameRank{"uz", 1}, NameRank{"weight", 2}};
constexpr std::uint64_t temporary = 3;

std::optional<std::uint64_t> lifetime_of(std::string_view name) {
  if (first_part(name) != "box") return std::nullopt;
  return rank_of(last_part(name), lifetimes).value_or(temporary);
}

class WarpxPm final : public Policy {
 public:
  std::string_view name() const override { return "warpx-pm"; }
  Needs needs(const Topology& machine) const override { return {.first_touch = slowest_first(machine)}; }

  Decision on_phase(const PhaseView& phase) override {
    return {.plan = placement_.place(ranked(phase.objects, lifetime_of), phase.machine, Border::evenly)};
  }

  std::vector<std::string> remarks() const override { return placement_.remarks(name()); }

 private:
  StaticPlacement placement_;
};

}  // namespace

std::unique_ptr<Policy> make_warpx_pm(const PolicyOptions&) { return std::make_unique<WarpxPm>(); }

}  // namespace lbhm::policies
