// Texts about the places of threads. libomp 19 aborts where one is to name the processors of a thread
// (kmp_affinity.cpp, __kmp_affinity_str_buf_mask) and it was told to find out nothing about them, which is what it is
// told in virtual time. So formats come to it without that field, with the word in its place that libomp has where it
// is built without affinity.
#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <string_view>

#include "libomp-ext/virtual/start/libomp_startup.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::RuntimeFunction;

constexpr std::string_view unknown = "disabled";
constexpr int widest = 1000;

/// A field of a format: %, 0 for zeros, . for flush right, the least width, and a letter or a name in braces
/// (OpenMP 5.2, 21.2.2).
struct Field {
  bool right = false;
  int width = 0;
  std::string_view rest;  ///< of the format, from the name on
};

Field parse(std::string_view text) {
  Field field;
  if (text.starts_with('0')) text.remove_prefix(1);
  field.right = text.starts_with('.');
  if (field.right) text.remove_prefix(1);
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1))
    field.width = std::min(widest, field.width * 10 + (text[0] - '0'));
  field.rest = text;
  return field;
}

std::string without_processors(std::string_view format) {
  std::string result;
  while (!format.empty()) {
    if (format[0] != '%') {
      result += format[0];
      format.remove_prefix(1);
      continue;
    }
    const Field field = parse(format.substr(1));
    std::size_t name = 0;
    for (const std::string_view each : {std::string_view("A"), std::string_view("{thread_affinity}")}) {
      if (field.rest.starts_with(each)) name = each.size();
    }
    if (name == 0) {  // as it is; %% whole, since its second half begins no field
      const std::size_t kept = std::min<std::size_t>(2, format.size());
      result += format.substr(0, kept);
      format.remove_prefix(kept);
      continue;
    }
    const auto width = static_cast<std::size_t>(field.width);
    const std::string blanks(width > unknown.size() ? width - unknown.size() : 0, ' ');
    result.append(field.right ? blanks : "").append(unknown).append(field.right ? "" : blanks);
    format = field.rest.substr(name);
  }
  return result;
}

/// What libomp takes for an empty format.
std::string usual_format(const void* caller) {
  static constinit RuntimeFunction real("ompc_get_affinity_format");
  auto* const get = reinterpret_cast<std::size_t (*)(char*, std::size_t)>(real.need(caller));
  std::string format(get(nullptr, 0), '\0');
  get(format.data(), format.size() + 1);
  return format;
}

/// libomp says what it was told only once it has started: a question begins it.
void start(const void* caller) {
  static constinit RuntimeFunction begin("omp_get_max_threads");
  reinterpret_cast<int (*)()>(begin.need(caller))();
}

/// The format as libomp gets it.
class Safe {
 public:
  Safe(std::string_view format, const void* caller) {
    start(caller);
    try {
      text_ = format;
      if (lbhm::openmp::knows_places()) return;
      if (text_.empty()) text_ = usual_format(caller);
      text_ = without_processors(text_);
    } catch (const std::bad_alloc&) { text_ = unknown; }
  }

  const char* text() const { return text_.c_str(); }
  std::size_t length() const { return text_.size(); }

 private:
  std::string text_;
};

std::string_view text_of(const char* format) { return format == nullptr ? std::string_view() : format; }

}  // namespace

// omp.h has these names for C.

LBHM_EXPORT std::size_t ompc_capture_affinity(char* buffer, std::size_t bytes, const char* format) {
  static constinit RuntimeFunction real("ompc_capture_affinity");
  const void* caller = __builtin_return_address(0);
  const Safe safe(text_of(format), caller);
  using Capture = std::size_t(char*, std::size_t, const char*);
  return reinterpret_cast<Capture*>(real.need(caller))(buffer, bytes, safe.text());
}

LBHM_EXPORT void ompc_display_affinity(const char* format) {
  static constinit RuntimeFunction real("ompc_display_affinity");
  const void* caller = __builtin_return_address(0);
  const Safe safe(text_of(format), caller);
  reinterpret_cast<void (*)(const char*)>(real.need(caller))(safe.text());
}

// Fortran's names; the lengths of texts come last.

LBHM_EXPORT std::size_t omp_capture_affinity_(char* buffer, const char* format, std::size_t bytes,
                                              std::size_t format_bytes) {
  static constinit RuntimeFunction real("omp_capture_affinity_");
  const void* caller = __builtin_return_address(0);
  const Safe safe({format, format_bytes}, caller);
  using Capture = std::size_t(char*, const char*, std::size_t, std::size_t);
  return reinterpret_cast<Capture*>(real.need(caller))(buffer, safe.text(), bytes, safe.length());
}

LBHM_EXPORT void omp_display_affinity_(const char* format, std::size_t format_bytes) {
  static constinit RuntimeFunction real("omp_display_affinity_");
  const void* caller = __builtin_return_address(0);
  const Safe safe({format, format_bytes}, caller);
  reinterpret_cast<void (*)(const char*, std::size_t)>(real.need(caller))(safe.text(), safe.length());
}
