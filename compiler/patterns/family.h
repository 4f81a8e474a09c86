// Accesses to one base that move alike: their distances say whether they leave something out or are a stencil.
#pragma once

#include <vector>

#include "compiler/patterns/classify.h"

namespace lbhm::compiler {

struct FamilyMember {
  std::size_t access;          ///< index
  const llvm::SCEV* distance;  ///< bytes from the family's first access
  bool carried = false;        ///< read in an earlier iteration and handed on in a register
};

struct Family {
  std::vector<FamilyMember> members;
  std::vector<std::size_t> beginnings;  ///< reads in front of the loop of what the first iteration finds carried
};

std::vector<Family> find_families(const std::vector<NestAccess>& accesses, const Nest& nest);

/// How many bytes side by side the family touches around each of its accesses, and which are pairs.
void find_runs(const Family& family, std::vector<NestAccess>& accesses, const Nest& nest);

}  // namespace lbhm::compiler
