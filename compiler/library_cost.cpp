#include "compiler/library_cost.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

constexpr LibraryCost exponential{50, 40};  ///< measured: 35 to 50 and 36 to 45
constexpr LibraryCost angle{70, 60};        ///< sin, atan, tanh, ...: 55 to 105 and 50 to 90
constexpr LibraryCost power{135, 100};      ///< pow, atan2, cbrt, fmod, ...: 125 to 150 and 45 to 120
constexpr LibraryCost special{250, 150};    ///< gamma and Bessel functions: 310 and 150

/// The C name of the function without its suffix for the type; empty: not of the library.
StringRef base_name(const CallBase& call, const TargetLibraryInfo& library) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    StringRef name = Intrinsic::getBaseName(intrinsic->getIntrinsicID());
    return name.consume_front("llvm.") ? name : StringRef();
  }
  LibFunc function;
  if (!library.getLibFunc(call, function) || !call.getType()->isFloatingPointTy()) return {};
  StringRef name = call.getCalledFunction()->getName();
  if (call.getType()->isFloatTy()) name.consume_back("f");
  if (call.getType()->isX86_FP80Ty()) name.consume_back("l");
  return name;
}

}  // namespace

std::optional<LibraryCost> library_cost(const CallBase& call, const TargetLibraryInfo& library) {
  return StringSwitch<std::optional<LibraryCost>>(base_name(call, library))
      .Cases("exp", "exp2", "exp10", "expm1", exponential)
      .Cases("log", "log2", "log10", "log1p", exponential)
      .Cases("sin", "cos", "tan", "asin", "acos", "atan", angle)
      .Cases("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", angle)
      .Cases("pow", "powi", "atan2", "cbrt", "hypot", "fmod", "remainder", power)
      .Cases("tgamma", "lgamma", "j0", "j1", "y0", "y1", special)
      .Default(std::nullopt);
}

bool is_square_root(const CallBase& call, const TargetLibraryInfo& library) {
  return base_name(call, library) == "sqrt";
}

}  // namespace lbhm::compiler
