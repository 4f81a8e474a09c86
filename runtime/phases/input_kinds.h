// Kinds of inputs behind one call of LB_HM_config, told apart by the sizes and the number of the objects.
//
// A base instance stands for later ones as far as they are the same work on more or less (Eq. 1 scales counts by
// sizes). Where the objects of an input stand to each other quite otherwise, it is other work, and gets a base instance
// of its own. A program knows best: lbhm_phase says it, and then nothing is guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm {

struct PhaseObject;

/// Sites and bytes of one list of objects. Objects of one site are looked at together, because work may be dealt to
/// them anew (a lane's blocks): an object that grows while its neighbour shrinks is no other input. Where other sites
/// come (a vector that grew) and the length stays, an object plays the part of the one that the other list has at its
/// place.
class InputShape {
 public:
  InputShape() = default;
  explicit InputShape(std::span<const PhaseObject> list);

  /// The largest ratio of the growths of two sites, or of their numbers of objects; at least 1. Sites that only one
  /// of the lists has say nothing, and so do those with little.
  double unlike(const InputShape& other) const;

 private:
  std::vector<std::uint64_t> sites_;   ///< by position
  std::vector<std::uint64_t> sorted_;  ///< the same sites
  std::vector<double> bytes_;
};

/// Which of them is most like the input; nothing if there is none.
std::optional<std::size_t> most_like(std::span<const InputShape> known, const InputShape& input);

/// The kinds of one call, by the shape of their first input: leader clustering, which is deterministic.
class InputKinds {
 public:
  /// Inputs within this factor are one kind: docs/model.md has measured growth from a quarter of the base to four times
  /// that.
  static constexpr double one_kind = 4;
  /// Assumption: a call with more than that deals its work in no kinds. Others join the most similar one.
  static constexpr std::size_t most_kinds = 8;
  /// A base instance is there for later ones: a call has a kind for so many inputs at most. Assumption; where every
  /// input is unlike the last one, many bases that serve one input each teach less than one that serves all.
  static constexpr std::size_t inputs_a_kind = 4;
  /// Of a site in both lists: whatever becomes of so little does not make other work of it. Assumption: a list has
  /// objects of megabytes, where placement matters.
  static constexpr Bytes least{64u << 10};

  /// The number of the input's kind, a new one if it is like none.
  std::size_t kind_of(const InputShape& input);

 private:
  std::vector<InputShape> first_;
  std::size_t inputs_ = 0;
};

}  // namespace lbhm
