#include "compiler/patterns/compiled_text.h"

#include <cstdlib>

#include "lbhm/compiled_patterns.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

constexpr unsigned deepest_text = 8;
constexpr std::size_t longest_text = 200;

std::string bound(const std::string& text, bool enough) { return enough ? text : "(" + text + ")"; }

constexpr const char* schema = "lbhm.patterns.module/1";
constexpr unsigned hash_digits = 16;  // of the source file's SHA-256
constexpr unsigned id_bits = 64 - LBHM_BASE_BITS;

json::Value line_or_null(unsigned line) { return line != 0 ? json::Value(line) : json::Value(nullptr); }

json::Value text_or_null(const std::optional<std::string>& text) {
  return text ? json::Value(json::fixUTF8(*text)) : json::Value(nullptr);
}

json::Value source_hash(const Module& module) {
  auto file = MemoryBuffer::getFile(module.getSourceFileName());
  if (!file) return nullptr;
  const std::string digest = toHex(SHA256::hash(arrayRefFromStringRef((*file)->getBuffer())), true);
  return digest.substr(0, hash_digits);
}

/// LBHM_PLUGIN_SOURCE_ROOT in the compiler's environment: a folder that programs which go elsewhere shall not name.
StringRef source_root() {
  const char* named = std::getenv("LBHM_PLUGIN_SOURCE_ROOT");
  return named ? named : "";
}

StringRef source_of(const Module& module) {
  StringRef name = module.getSourceFileName();
  if (name.consume_front(source_root())) name.consume_front("/");
  return name;
}

std::string directory() {
  SmallString<256> path;
  if (!source_root().empty()) return "";
  if (sys::fs::current_path(path)) return "";
  return json::fixUTF8(path);
}

class Writer {
 public:
  Writer(const Module& of, raw_ostream& to) : module(of), out(to) {}

  void write(const std::vector<NestPatterns>& nests, const std::string& id) {
    out.object([&] {
      out.attribute("schema", schema);
      out.attribute("id", id);
      out.attribute("source", json::fixUTF8(source_of(module)));
      out.attribute("directory", directory());
      out.attribute("source_hash", source_hash(module));
      out.attributeArray("nests", [&] {
        for (const NestPatterns& nest : nests) out.object([&] { write(nest); });
      });
    });
  }

 private:
  void write(const NestPatterns& nest) {
    const DISubprogram* source = nest.function->getSubprogram();
    const bool parallel = is_outlined(*nest.function);
    out.attribute("function", json::fixUTF8(nest.function->getName()));
    out.attribute("name", json::fixUTF8(demangle(nest.function->getName().str())));
    out.attribute("file", json::fixUTF8(source ? source->getFilename() : source_of(module)));
    out.attribute("line", line_or_null(nest.line));
    out.attribute("parallel", parallel);
    if (parallel) out.attribute("region", line_or_null(source ? source->getLine() : 0));
    out.attributeArray("loops", [&] {
      for (const LoopText& loop : nest.loops) out.object([&] { write(loop); });
    });
    out.attributeArray("bases", [&] {
      for (std::size_t at = 0; at < nest.bases.size(); ++at)
        out.object([&] { write(nest.bases[at], first_base + at); });
    });
    out.attributeArray("accesses", [&] {
      for (const AccessText& access : nest.accesses) out.object([&] { write(access); });
    });
    first_base += nest.bases.size();
  }

  void write(const LoopText& loop) {
    out.attribute("line", line_or_null(loop.line));
    out.attribute("depth", loop.depth);
    out.attribute("trip", text_or_null(loop.trip));
  }

  void write(const Base& base, std::size_t number) {
    out.attribute("number", static_cast<std::int64_t>(number));
    out.attribute("name", json::fixUTF8(base.named.name));
    out.attribute("through", base.named.through);
    out.attribute("frequency", base.frequency);
  }

  void write(const AccessText& access) {
    const CompiledPattern& pattern = access.pattern;
    out.attribute("base", static_cast<std::int64_t>(first_base + access.base));
    out.attribute("line", line_or_null(access.line));
    out.attribute("loop", access.loop ? json::Value(*access.loop) : json::Value(nullptr));
    out.attribute("kind", name_of(pattern.kind));
    out.attribute("stride", pattern.stride);
    out.attribute("element", static_cast<std::int64_t>(pattern.element));
    out.attribute("type", json::fixUTF8(access.type));
    out.attribute("write", pattern.write);
    out.attribute("frequency", access.frequency);
    if (access.transposed) out.attribute("order", "transpose");
    if (access.sometimes) out.attribute("advance", "sometimes");
    if (access.step) out.attribute("step", json::fixUTF8(*access.step));
    if (pattern.kind == PatternKind::stencil) write_stencil(access);
  }

  void write_stencil(const AccessText& access) {
    out.attributeArray("offsets", [&] {
      for (const std::string& offset : access.offsets) out.value(json::fixUTF8(offset));
    });
    out.attribute("points", access.pattern.points);
    out.attribute("dimensions", access.pattern.dimensions);
    out.attribute("input_dependent", access.pattern.input_dependent);
  }

  const Module& module;
  json::OStream out;
  std::size_t first_base = 0;
};

std::string text_with(const Module& module, const std::vector<NestPatterns>& nests, const std::string& id) {
  std::string text;
  raw_string_ostream stream(text);
  Writer(module, stream).write(nests, id);
  return text;
}

}  // namespace

std::optional<std::string> ExpressionText::of(const SCEV* expression) const {
  auto whole = part(expression, deepest_text);
  if (!whole || whole->text.size() > longest_text) return std::nullopt;
  return whole->text;
}

std::optional<ExpressionText::Part> ExpressionText::part(const SCEV* expression, unsigned depth) const {
  if (depth == 0) return std::nullopt;
  if (const auto* constant = dyn_cast<SCEVConstant>(expression))
    return Part{std::to_string(constant->getAPInt().sextOrTrunc(64).getSExtValue()), 3};
  if (const auto* cast = dyn_cast<SCEVCastExpr>(expression)) return part(cast->getOperand(), depth - 1);
  if (const auto* add = dyn_cast<SCEVAddExpr>(expression)) return sum(*add, depth - 1);
  if (const auto* multiply = dyn_cast<SCEVMulExpr>(expression)) return product(*multiply, depth - 1);
  if (const auto* minmax = dyn_cast<SCEVMinMaxExpr>(expression)) return limit(*minmax, depth - 1);
  if (const auto* division = dyn_cast<SCEVUDivExpr>(expression)) {
    const auto* by = dyn_cast<SCEVConstant>(division->getRHS());
    const SCEV* exact = by ? divide(division->getLHS(), by->getAPInt().getSExtValue()) : nullptr;
    if (exact) return part(exact, depth - 1);
    auto above = part(division->getLHS(), depth - 1);
    auto below = part(division->getRHS(), depth - 1);
    if (!above || !below) return std::nullopt;
    return Part{bound(above->text, above->binding > 1) + "/" + bound(below->text, below->binding > 2), 2};
  }
  if (const auto* value = dyn_cast<SCEVUnknown>(expression)) return unknown(*value->getValue());
  return std::nullopt;
}

/// What stands on in positive form first, constants last.
std::optional<ExpressionText::Part> ExpressionText::sum(const SCEVAddExpr& of, unsigned depth) const {
  std::string positive, negative, constant;
  for (const SCEV* operand : of.operands()) {
    auto each = part(operand, depth);
    if (!each) return std::nullopt;
    bool minus = each->text.front() == '-';
    if (isa<SCEVConstant>(operand))
      constant = minus ? each->text : "+" + each->text;
    else if (minus)
      negative += each->text;
    else
      positive += (positive.empty() ? "" : "+") + each->text;
  }
  // The end of a container less its beginning, both of which go by its name.
  if (!positive.empty() && constant.empty() && negative == "-" + positive) return Part{"bytes(" + positive + ")", 3};
  std::string text = positive + negative + constant;
  if (text.front() == '+') text.erase(0, 1);
  return Part{text, 1};
}

std::optional<ExpressionText::Part> ExpressionText::product(const SCEVMulExpr& of, unsigned depth) const {
  std::string text;
  bool minus = false;
  for (const SCEV* operand : of.operands()) {
    const auto* constant = dyn_cast<SCEVConstant>(operand);
    if (constant && constant->getAPInt().isAllOnes()) {
      minus = true;
      continue;
    }
    auto each = part(operand, depth);
    if (!each) return std::nullopt;
    text += (text.empty() ? "" : "*") + bound(each->text, each->binding > 1);
  }
  return Part{(minus ? "-" : "") + text, 2};
}

/// max(n, 1) is n: loops that run not at all are of no interest.
std::optional<ExpressionText::Part> ExpressionText::limit(const SCEVMinMaxExpr& of, unsigned depth) const {
  bool largest = isa<SCEVSMaxExpr, SCEVUMaxExpr>(of);
  std::string text;
  unsigned count = 0;
  std::optional<Part> last;
  for (const SCEV* operand : of.operands()) {
    const auto* constant = dyn_cast<SCEVConstant>(operand);
    if (largest && constant && constant->getAPInt().sle(1)) continue;
    last = part(operand, depth);
    if (!last) return std::nullopt;
    text += (count++ == 0 ? "" : ",") + last->text;
  }
  if (count == 1) return last;
  return Part{(largest ? "max(" : "min(") + text + ")", 3};
}

std::optional<ExpressionText::Part> ExpressionText::unknown(const Value& value) const {
  Named named = names.of(value);
  if (StringRef(named.through) == "value" && StringRef(named.name).starts_with("value")) return std::nullopt;
  if (StringRef(named.name).starts_with("loaded")) return std::nullopt;
  return Part{named.name, 3};
}

/// Null if something is left.
const SCEV* ExpressionText::divide(const SCEV* bytes, std::int64_t by) const {
  if (const auto* constant = dyn_cast<SCEVConstant>(bytes)) {
    std::int64_t value = constant->getAPInt().sextOrTrunc(64).getSExtValue();
    if (value % by != 0) return nullptr;
    return evolution.getConstant(bytes->getType(), static_cast<std::uint64_t>(value / by), true);
  }
  SmallVector<const SCEV*, 4> parts;
  if (const auto* multiply = dyn_cast<SCEVMulExpr>(bytes)) {
    append_range(parts, multiply->operands());
    if (!isa<SCEVConstant>(parts[0])) return nullptr;
    parts[0] = divide(parts[0], by);
    return parts[0] ? evolution.getMulExpr(parts) : nullptr;
  }
  const auto* add = dyn_cast<SCEVAddExpr>(bytes);
  if (!add) return nullptr;
  for (const SCEV* operand : add->operands()) {
    parts.push_back(divide(operand, by));
    if (!parts.back()) return nullptr;
  }
  return evolution.getAddExpr(parts);
}

std::string ExpressionText::elements(const SCEV* bytes, std::uint64_t element) const {
  const SCEV* whole = divide(bytes, static_cast<std::int64_t>(element));
  auto text = of(whole ? whole : bytes);
  if (!text) return "?";
  return whole ? *text : *text + "B";
}

ModuleText module_text(const Module& module, const std::vector<NestPatterns>& nests) {
  const std::uint64_t id = xxh3_64bits(text_with(module, nests, "")) >> (64 - id_bits);
  return {.text = text_with(module, nests, formatv("{0:x-11}", id)), .id = id};
}

}  // namespace lbhm::compiler
