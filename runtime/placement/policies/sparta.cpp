// sparta: the placement of Sparta (Liu, Ren, Gioiosa, Li, Li: "Sparta: High-Performance, Element-Wise Sparse Tensor
// Contraction on Heterogeneous Memory", PPoPP '21, section 4) for apps/tensor and, after the roles of the data, for
// apps/spgemm, as the Merchandiser paper uses it (section 7.1).
//
// Order and rules are those of the authors' code (HiParTI, sparse tensor times sparse tensor on heterogeneous memory):
// X and Y stay in slow memory; the hash table of Y goes to fast memory if all of it fits, then every thread's
// accumulator HtA by the upper bound of its size, then every thread's part of the result Z_local, then Z; each of them
// wholly or not at all. 1/11 of the memory is left free (dram_cap = free / 1.1). Nothing moves while a contraction
// runs; a new contraction is placed anew.
//
// spgemm multiplies A by B = A^T row by row: B is what is searched (HtY; its copy into fast memory stands for the
// building of HtY from Y), the accumulators are HtA, C is Z, A is X. Other programs: the objects in the order of the
// call.
#include <array>

#include "runtime/placement/policies/tier_orders.h"
#include "runtime/placement/whole_objects/static_placement.h"

namespace lbhm::policies {
namespace {

using namespace placement;

constexpr std::array roles{NameRank{"HtY", 0}, NameRank{"HtA", 1},         NameRank{"Z_local", 2}, NameRank{"Z", 3},
                           NameRank{"B", 0},   NameRank{"accumulator", 1}, NameRank{"C", 3}};
constexpr double headroom = 1.1;

class Sparta final : public Policy {
 public:
  std::string_view name() const override { return "sparta"; }
  Needs needs(const Topology& machine) const override { return {.first_touch = slowest_first(machine)}; }

  Decision on_phase(const PhaseView& phase) override {
    const auto objects = ranked(phase.objects, [](std::string_view name) { return rank_of(first_part(name), roles); });
    return {.plan = placement_.place(objects, phase.machine, Border::whole_units, headroom)};
  }

  std::vector<std::string> remarks() const override { return placement_.remarks(name()); }

 private:
  StaticPlacement placement_;
};

}  // namespace

std::unique_ptr<Policy> make_sparta(const PolicyOptions&) { return std::make_unique<Sparta>(); }

}  // namespace lbhm::policies
