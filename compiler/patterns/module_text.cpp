#include "compiler/patterns/module_text.h"

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
namespace {

using namespace llvm;

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

std::string directory() {
  SmallString<256> path;
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
      out.attribute("source", json::fixUTF8(module.getSourceFileName()));
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
    out.attribute("file", json::fixUTF8(source ? source->getFilename() : StringRef(module.getSourceFileName())));
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
    const AccessPattern& pattern = access.pattern;
    out.attribute("base", static_cast<std::int64_t>(first_base + access.base));
    out.attribute("line", line_or_null(access.line));
    out.attribute("loop", access.loop ? json::Value(*access.loop) : json::Value(nullptr));
    out.attribute("kind", name_of(pattern.kind));
    out.attribute("stride", pattern.stride);
    out.attribute("element", static_cast<std::int64_t>(pattern.element.value));
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

ModuleText module_text(const Module& module, const std::vector<NestPatterns>& nests) {
  const std::uint64_t id = xxh3_64bits(text_with(module, nests, "")) >> (64 - id_bits);
  return {.text = text_with(module, nests, formatv("{0:x-11}", id)), .id = id};
}

}  // namespace lbhm::compiler
