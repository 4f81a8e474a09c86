// One program, many shapes of parallelism: shapes NAME runs one of them and prints a checksum.
#include <omp.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr std::size_t n = 1 << 20;

std::vector<std::uint32_t> shuffled() {
  std::vector<std::uint32_t> index(n);
  std::iota(index.begin(), index.end(), 0u);
  std::uint64_t state = 88172645463325252ull;
  for (std::size_t i = n - 1; i > 0; --i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    std::swap(index[i], index[state % (i + 1)]);
  }
  return index;
}

std::uint64_t static_schedule(const std::vector<std::uint32_t>& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += index[index[i]] ^ i;
  return sum;
}

std::uint64_t dynamic_schedule(const std::vector<std::uint32_t>& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic, 4096) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i)
    if (index[i] % 7 < i * 7 / n) sum += index[index[i]] ^ i;
  return sum;
}

std::uint64_t guided_schedule(const std::vector<std::uint32_t>& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
  for (std::size_t i = 0; i < n; ++i) sum += index[index[i]] & 0xff;
  return sum;
}

std::uint64_t barriers(const std::vector<std::uint32_t>& index) {
  std::vector<std::uint64_t> part(static_cast<std::size_t>(omp_get_max_threads()) * 8);
  std::uint64_t sum = 0;
#pragma omp parallel
  {
    const auto lane = static_cast<std::size_t>(omp_get_thread_num());
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = lane; i < n / 4; i += 1 + lane) part[lane * 8] += index[i];
#pragma omp barrier
#pragma omp single
      sum += part[lane % 2 * 0] & 1;
    }
  }
  for (const auto p : part) sum += p;
  return sum;
}

std::uint64_t critical(const std::vector<std::uint32_t>& index) {
  std::uint64_t sum = 0;
#pragma omp parallel
  {
    for (int round = 0; round < 20; ++round) {
      std::uint64_t mine = 0;
      for (std::size_t i = 0; i < n / 64; ++i) mine += index[(i * 67 + static_cast<std::size_t>(round)) % n];
#pragma omp critical
      sum += mine;
    }
  }
  return sum;
}

std::uint64_t nested(const std::vector<std::uint32_t>& index) {
  omp_set_max_active_levels(2);
  std::uint64_t sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    std::uint64_t inner = 0;
#pragma omp parallel for num_threads(2) reduction(+ : inner)
    for (std::size_t i = 0; i < n / 8; ++i) inner += index[i];
    sum += inner;
  }
  return sum;
}

std::uint64_t tasks(const std::vector<std::uint32_t>& index) {
  std::vector<std::uint64_t> part(64);
#pragma omp parallel
#pragma omp single
  for (std::size_t t = 0; t < part.size(); ++t) {
#pragma omp task firstprivate(t) shared(part, index)
    for (std::size_t i = 0; i < n / 64; ++i) part[t] += index[t * (n / 64) + i];
  }
  return std::accumulate(part.begin(), part.end(), std::uint64_t{0});
}

struct Shape {
  const char* name;
  std::uint64_t (*run)(const std::vector<std::uint32_t>&);
};
constexpr Shape shapes[] = {{"static", static_schedule},
                            {"dynamic", dynamic_schedule},
                            {"guided", guided_schedule},
                            {"barriers", barriers},
                            {"critical", critical},
                            {"nested", nested},
                            {"tasks", tasks}};

}  // namespace

int main(int argc, char** argv) {
  const auto index = shuffled();
  for (const Shape& shape : shapes) {
    if (argc == 2 && std::strcmp(argv[1], shape.name) == 0) {
      std::printf("checksum: %016llx\n", static_cast<unsigned long long>(shape.run(index)));
      return 0;
    }
  }
  std::fprintf(stderr, "usage: shapes static|dynamic|guided|barriers|critical|nested|tasks\n");
  return 2;
}
