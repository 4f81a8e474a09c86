#include "compiler/patterns/stencil_patterns.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Phis that hand on from one to the next: more are no stencil that a person would write.
constexpr unsigned longest_hand = 4;

struct Place {
  std::size_t family, member;
};

class Carrier {
 public:
  Carrier(std::vector<Family>& in, std::vector<NestAccess>& all, const Nest& of)
      : families(in), accesses(all), nest(of) {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (isa<LoadInst>(all[at].access.instruction)) index[all[at].access.instruction] = at;
    }
    for (std::size_t family = 0; family < families.size(); ++family) {
      for (std::size_t member = 0; member < families[family].members.size(); ++member) {
        Instruction* by = accesses[families[family].members[member].access].access.instruction;
        if (isa<LoadInst>(by)) read[by] = {family, member};
        if (auto* store = dyn_cast<StoreInst>(by)) written[store->getValueOperand()] = {family, member};
      }
    }
  }

  void add(PHINode& phi, const Loop& loop) {
    const BasicBlock* latch = loop.getLoopLatch();
    if (!latch || loop.getHeader() != phi.getParent()) return;
    const Value* value = &phi;
    for (std::int64_t hands = 1; hands <= longest_hand; ++hands) {
      const auto* from = dyn_cast<PHINode>(value);
      if (!from || from->getParent() != phi.getParent()) return;
      value = from->getIncomingValueForBlock(latch);
      if (add(value, phi, loop, hands)) return;
    }
  }

 private:
  bool add(const Value* value, const PHINode& phi, const Loop& loop, std::int64_t hands) {
    auto found = read.find(value);
    bool stored = found == read.end();
    if (stored) found = written.find(value);
    if (found == (stored ? written.end() : read.end())) return false;
    Family& family = families[found->second.family];
    const FamilyMember from = family.members[found->second.member];
    const NestAccess& access = accesses[from.access];
    const SCEV* step = access.address.step_in(loop);
    if (!step || access.loop != &loop || (stored && !begins_there(phi, loop, access))) return false;
    ScalarEvolution& evolution = nest.evolution;
    const SCEV* back =
        evolution.getMulExpr(step, evolution.getConstant(step->getType(), static_cast<std::uint64_t>(hands)));
    family.members.push_back({from.access, evolution.getMinusSCEV(from.distance, back), true});
    add_beginnings(phi, loop, family);
    return true;
  }

  void add_beginnings(const PHINode& phi, const Loop& loop, Family& family) {
    for (const BasicBlock* from : phi.blocks()) {
      auto found = loop.contains(from) ? index.end() : index.find(phi.getIncomingValueForBlock(from));
      if (found == index.end()) continue;
      family.beginnings.push_back(found->second);
      accesses[found->second].beginning = true;
    }
  }

  /// A sum that begins with a constant and is stored is not read from there.
  bool begins_there(const PHINode& phi, const Loop& loop, const NestAccess& access) const {
    return any_of(phi.blocks(), [&](const BasicBlock* from) {
      const auto* first = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(from));
      return !loop.contains(from) && first &&
             base_value(first->getPointerOperand()) == base_value(access.access.pointer);
    });
  }

  std::vector<Family>& families;
  std::vector<NestAccess>& accesses;
  const Nest& nest;
  DenseMap<const Value*, Place> read, written;
  DenseMap<const Value*, std::size_t> index;  ///< of the reads
};

/// More members than this are looked at only up to here: the largest usual stencil has 27 points, a few fields each.
constexpr std::size_t most_members = 96;
/// Different stencils, and distances that make units, of one family: keeps generated bodies linear.
constexpr std::size_t most_stencils = 8;
/// Directions in which neighbours may lie.
constexpr std::size_t most_units = 6;

/// Numbers that are limits and starts of loops (the row pointers of a sparse matrix): two of them side by side are not
/// a stencil but the ends of one row.
bool is_bound(const NestAccess& access, const Nest& nest) {
  const auto* load = dyn_cast<LoadInst>(access.access.instruction);
  if (!load || !load->getType()->isIntegerTy()) return false;
  SmallVector<const User*, 8> users(load->users());
  for (unsigned at = 0; at < users.size() && at < 8; ++at) {
    const auto* phi = dyn_cast<PHINode>(users[at]);
    if (isa<ICmpInst>(users[at]) || (phi && nest.loop_headed_by(*phi))) return true;
    if (isa<CastInst, BinaryOperator, IntrinsicInst>(users[at])) append_range(users, users[at]->users());
  }
  return false;
}

class Stencil {
 public:
  Stencil(const Nest& in, std::vector<NestAccess>& all, ArrayRef<Step> units, const Family& of,
          const FamilyMember& first)
      : nest(in), accesses(all), steps(units), beginnings(of.beginnings) {
    add(first, {});
  }

  /// Takes the member in if it is whole steps away.
  bool join(const FamilyMember& member, Distances& distances) {
    const FamilyMember& first = members.front();
    if (accesses[member.access].element != accesses[first.access].element) return false;
    const SCEV* apart = nest.evolution.getMinusSCEV(member.distance, first.distance);
    auto neighbour = distances.in_steps(apart, steps);
    if (!neighbour) return false;
    add(member, *neighbour);
    return true;
  }

  void mark(const ExpressionText& text) {
    std::set<Neighbour> distinct;
    SmallVector<Neighbour, 16> writes;
    bool bounds = true;
    for (std::size_t at = 0; at < members.size(); ++at) {
      const NestAccess& access = accesses[members[at].access];
      if (access.write && !members[at].carried) {
        writes.push_back(places[at]);
        continue;
      }
      distinct.insert(places[at]);
      bounds &= is_bound(access, nest);
    }
    if (distinct.size() < 2 || bounds || are_row_pointers(distinct)) return;
    SmallVector<Neighbour, 16> reads(distinct.begin(), distinct.end());
    sort(reads, [](const Neighbour& a, const Neighbour& b) {  // as they lie in memory: outer loops first
      return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
    });
    describe(reads, centre_of(reads, writes), text);
  }

 private:
  void add(const FamilyMember& member, Neighbour place) {
    members.push_back(member);
    place.resize(steps.size(), 0);
    places.push_back(std::move(place));
  }

  /// Two integers side by side: what makes row pointers (a[n+1] += a[n]) or takes their differences. A stencil of two
  /// points has more to it only where its values are no positions.
  bool are_row_pointers(const std::set<Neighbour>& reads) const {
    constexpr unsigned least_bits = 32;  // smaller ones do not count rows
    const NestAccess& access = accesses[members.front().access];
    const Type* type = getLoadStoreType(access.access.instruction);
    if (reads.size() != 2 || !type->isIntegerTy() || type->getIntegerBitWidth() < least_bits) return false;
    Neighbour apart = *reads.rbegin();
    for (std::size_t at = 0; at < apart.size(); ++at) apart[at] -= (*reads.begin())[at];
    Type* bytes = nest.evolution.getEffectiveSCEVType(access.access.pointer->getType());
    const auto* distance = dyn_cast<SCEVConstant>(distance_of(apart, steps, bytes, nest.evolution));
    return distance && distance->getAPInt().abs() == access.element;
  }

  void describe(ArrayRef<Neighbour> reads, const Neighbour& centre, const ExpressionText& text) {
    NestAccess result = accesses[members.front().access];
    Type* type = nest.evolution.getEffectiveSCEVType(result.access.pointer->getType());
    SmallVector<bool, 4> moved(centre.size(), false);
    SmallVector<std::string, 8> offsets;
    for (Neighbour read : reads) {
      for (std::size_t at = 0; at < read.size(); ++at) {
        read[at] -= centre[at];
        if (read[at] != 0) moved[at] = true;
      }
      offsets.push_back(
          text.elements(distance_of(read, steps, type, nest.evolution), result.element * (result.pair ? 2 : 1)));
    }
    SmallVector<std::size_t, 16> belonging(beginnings.begin(), beginnings.end());
    for (const FamilyMember& member : members) belonging.push_back(member.access);
    for (std::size_t at : belonging) {
      NestAccess& access = accesses[at];
      access.pattern.kind = PatternKind::stencil;
      access.pattern.points = static_cast<std::uint32_t>(reads.size());
      access.pattern.dimensions = static_cast<std::uint32_t>(count(moved, true));
      access.pattern.input_dependent =
          any_of(zip(steps, moved), [](auto each) { return std::get<0>(each).loop == nullptr && std::get<1>(each); });
      access.offsets = offsets;
    }
  }

  const Nest& nest;
  std::vector<NestAccess>& accesses;
  ArrayRef<Step> steps;
  ArrayRef<std::size_t> beginnings;
  std::vector<FamilyMember> members;
  std::vector<Neighbour> places;
};

/// Whether the distance was read from a table, not from a variable.
bool is_from_table(const SCEV* distance, const Nest& nest, const Resolver& resolver) {
  auto is_variable = [&](const Value* place) {
    const auto* global = dyn_cast<GlobalVariable>(place);
    return isa<AllocaInst>(place) || (isa<Argument>(place) && is_outlined(nest.function)) ||
           (global && !global->getValueType()->isArrayTy());
  };
  return any_of(leaves(distance), [&](const Value* leaf) {
    const StandIn* other = resolver.stand_in(leaf);
    const auto* load = dyn_cast_or_null<LoadInst>(other ? other->of : leaf);
    return load && !is_variable(load->getPointerOperand());
  });
}

/// Whether a loop is done when it has come that far: then what lies there is another array behind the first.
bool is_length(const SCEV* distance, const NestAccess& access, const Nest& nest, Resolver& resolver) {
  ScalarEvolution& evolution = nest.evolution;
  return any_of(access.address.steps, [&](const Step& step) {
    const SCEV* back = step.loop ? evolution.getBackedgeTakenCount(step.loop) : evolution.getCouldNotCompute();
    if (step.outer || isa<SCEVCouldNotCompute>(back)) return false;
    const SCEV* trips = evolution.getAddExpr(resolver.visit(back), evolution.getOne(back->getType()));
    const SCEV* length =
        evolution.getMulExpr(evolution.getTruncateOrSignExtend(trips, distance->getType()), step.bytes);
    return length == distance || evolution.getAddExpr(length, length) == distance;
  });
}

/// The steps of the loops, and what else distances are made of: data, or a variable if neighbours lie on both sides.
/// Those have no loop.
SmallVector<Step, 8> units(const Family& family, const NestAccess& first, const Nest& nest, Resolver& resolver,
                           Distances& with) {
  SmallVector<Step, 8> steps(first.address.steps.begin(), first.address.steps.end());
  SmallSetVector<const SCEV*, 8> distances;
  for (const FamilyMember& member : family.members) {
    if (distances.size() < most_members) distances.insert(member.distance);
  }
  std::size_t looked_at = 0;
  for (const SCEV* distance : distances) {
    if (isa<SCEVConstant>(distance) || steps.size() == most_units || with.in_steps(distance, steps)) continue;
    if (++looked_at > most_stencils) break;
    const SCEV* twice = nest.evolution.getAddExpr(distance, distance);
    bool both = distances.contains(twice) || distances.contains(nest.evolution.getNegativeSCEV(distance));
    if ((both && !is_length(distance, first, nest, resolver)) || is_from_table(distance, nest, resolver))
      steps.push_back({nullptr, distance});
  }
  return steps;
}

}  // namespace

void add_carried(std::vector<Family>& families, std::vector<NestAccess>& accesses, const Nest& nest) {
  Carrier carrier(families, accesses, nest);
  for (Loop* loop : nest.loops.getLoopsInPreorder()) {
    if (!nest.outermost.contains(loop)) continue;
    for (PHINode& phi : loop->getHeader()->phis()) carrier.add(phi, *loop);
  }
}

void find_stencils(const Family& family, std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver,
                   const ExpressionText& text, Distances& distances) {
  if (family.members.size() < 2) return;
  auto steps = units(family, accesses[family.members[0].access], nest, resolver, distances);
  std::vector<Stencil> stencils;
  for (std::size_t at = 0; at < std::min(family.members.size(), most_members); ++at) {
    const FamilyMember& member = family.members[at];
    if (is_random(accesses[member.access].pattern.kind) || accesses[member.access].beginning) continue;
    const bool joined = any_of(stencils, [&](Stencil& stencil) { return stencil.join(member, distances); });
    if (!joined && stencils.size() < most_stencils) stencils.emplace_back(nest, accesses, steps, family, member);
  }
  for (Stencil& stencil : stencils) stencil.mark(text);
}

}  // namespace lbhm::compiler
