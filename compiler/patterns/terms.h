// Numbers taken apart into sums of products, so that what two of them have in common can be read off.
#pragma once

#include <cstdint>
#include <map>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace lbhm::compiler {

/// Values that are multiplied, in one order; none: the number one.
using Product = llvm::SmallVector<const llvm::SCEV*, 4>;

/// How often each product is in the sum, never 0; wraps at 64 bits as addresses do.
using Terms = std::map<Product, std::uint64_t>;

/// Multiplied out: 8 * (n + 1) * m is 8 * m and 8 * m * n. What would become too long stays one value.
Terms terms_of(const llvm::SCEV* number, llvm::ScalarEvolution& evolution);

/// 0 if the sum has no such product.
std::uint64_t times_in(const Terms& sum, const Product& product);

/// Adds the other sum that often.
void add(Terms& sum, const Terms& other, std::uint64_t times);

/// Whether it has no product but one.
bool is_constant(const Terms& sum);

}  // namespace lbhm::compiler
