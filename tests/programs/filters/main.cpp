// filters [ROUNDS]: loads filters, applies them, checks some pixels, and compresses the results.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>

#include "filter.h"
#include "vendor.h"

namespace {

int failures = 0;

void check(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "filters: wrong: %s\n", what.c_str());
  ++failures;
}

/// A filter and the library that it lives in.
class LoadedFilter {
 public:
  explicit LoadedFilter(const std::string& file) : library_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library_) throw std::runtime_error(dlerror());
    filter_.reset(reinterpret_cast<MakeFilter*>(dlsym(library_, "make_filter"))());
  }
  LoadedFilter(const LoadedFilter&) = delete;
  LoadedFilter& operator=(const LoadedFilter&) = delete;
  ~LoadedFilter() {
    filter_.reset();
    dlclose(library_);
  }
  const Filter* operator->() const { return filter_.get(); }

 private:
  void* library_;
  std::unique_ptr<Filter> filter_;
};

void check_pixels(const Filter& filter, const Image& before, const Image& after) {
  bool good = true;
  for (std::size_t i = 0; i < before.pixels().size(); i += 37) {
    const std::size_t x = i % before.width();
    const std::size_t y = i / before.width();
    good &= filter.pixel(before, static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y)) == after.at(x, y);
  }
  check(good, filter.name());
}

/// Passes the pixels through the bought library, with callbacks into this program.
void compress(const Image& image, int rounds) {
  const std::size_t count = image.pixels().size();
  std::vector<std::uint16_t> runs(2 * count), back(count);
  std::size_t written = 0;
  for (int i = 0; i < rounds; ++i) {
    written = vendor_compress(image.pixels().data(), count, runs.data());
    check(vendor_expand(runs.data(), written, back.data()) == count && back == image.pixels(), "compression");
  }
  std::vector<long> seen(256);
  const long sum = vendor_for_each(
      image.pixels().data(), count,
      [](std::uint16_t value, void* data) { return ++(*static_cast<std::vector<long>*>(data))[value], long{value}; },
      &seen);
  const auto counts = histogram(image);
  bool same = true;
  for (std::size_t i = 0; i < counts.size(); ++i) same &= counts[i] == static_cast<std::size_t>(seen[i]);
  check(same, "histogram");
  check(sum == std::accumulate(image.pixels().begin(), image.pixels().end(), 0l), "sum");
  std::printf("%zu values in %zu\n", count, written);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  const std::string own = argv[0];
  const std::string folder = own.substr(0, own.rfind('/') + 1);
  Image image = test_image(400, 300);
  std::printf("image %llu\n", static_cast<unsigned long long>(checksum(image)));
  for (const char* file : {"blur.so", "edges.so", "blur.so"}) {  // the first one is loaded, unloaded, and loaded again
    const LoadedFilter filter(folder + file);
    Image result = filter->apply(image);
    check_pixels(*filter.operator->(), image, result);
    std::printf("%s %llu\n", filter->name(), static_cast<unsigned long long>(checksum(result)));
    image = std::move(result);
  }
  compress(image, rounds);
  try {
    const LoadedFilter none(folder + "none.so");
    check(false, "a filter that does not exist");
  } catch (const std::runtime_error&) { std::puts("none.so: not there"); }
  std::puts(failures == 0 ? "verified" : "FAILED");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
