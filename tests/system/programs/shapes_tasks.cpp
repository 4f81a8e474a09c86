// Shapes of explicit tasks.
#include "shapes.h"

#include <omp.h>

#include <latch>
#include <numeric>
#include <thread>

namespace {

std::uint64_t tasks(const Index& index) {
  std::vector<std::uint64_t> part(64);
#pragma omp parallel
#pragma omp single
  for (std::size_t t = 0; t < part.size(); ++t) {
#pragma omp task firstprivate(t) shared(part, index)
    part[t] = walk(index, t * (n / 64), n / 256 * (1 + t % 4));
  }
  return std::accumulate(part.begin(), part.end(), std::uint64_t{0});
}

std::uint64_t tree_sum(const Index& index, std::size_t first, std::size_t count) {
  if (count <= 2048) return walk(index, first, count);
  std::uint64_t left = 0;
  std::uint64_t right = 0;
#pragma omp task shared(left, index)
  left = tree_sum(index, first, count / 3);
#pragma omp task shared(right, index) untied
  right = tree_sum(index, first + count / 3, count - count / 3);
#pragma omp taskwait
  return left * 3 + right;
}

std::uint64_t task_tree(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel
#pragma omp single
  sum = tree_sum(index, 0, n / 4);
  return sum;
}

/// A wave over a grid of blocks: each waits for its upper and its left neighbour.
std::uint64_t depend(const Index& index) {
  constexpr std::size_t side = 12;
  std::uint64_t grid[side + 1][side + 1] = {};
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 1; i <= side; ++i) {
    for (std::size_t j = 1; j <= side; ++j) {
#pragma omp task shared(grid, index) depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
      grid[i][j] = grid[i - 1][j] * 3 + grid[i][j - 1] + walk(index, i * 100 + j, 500 * (1 + j % 3));
    }
  }
  return grid[side][side];
}

std::uint64_t taskloop(const Index& index) {
  std::vector<std::uint64_t> part(1000);
  std::uint64_t sum = 0;
  std::size_t last = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop shared(part, index) lastprivate(last) grainsize(7)
    for (std::size_t i = 0; i < part.size(); ++i) {
      part[i] = walk(index, i * 13, 100 * (1 + i % 5));
      last = i;
    }
#pragma omp taskloop reduction(+ : sum) num_tasks(20)
    for (std::size_t i = 0; i < part.size(); ++i) sum += part[i];
  }
  return sum * 1000 + last;
}

/// Groups, tasks that are not deferred, waits for single values, priorities, final tasks.
std::uint64_t task_forms(const Index& index) {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
#pragma omp parallel
#pragma omp masked
  {
#pragma omp taskgroup
    {
      for (std::size_t i = 0; i < 40; ++i) {
#pragma omp task shared(a, index) priority(static_cast<int>(i))
        {
          const std::uint64_t part = walk(index, i * 3, 900);
#pragma omp task shared(a)
#pragma omp atomic
          a += part;
        }
      }
    }
    b = a;
#pragma omp task shared(b, index) depend(out : b)
    b += walk(index, 17, 9000);
#pragma omp task shared(b, c) depend(in : b) depend(out : c) if (false)
    c = b * 3;
#pragma omp taskwait depend(in : c)
#pragma omp task shared(c, index) final(true)
    {
#pragma omp task shared(c, index)
      c += walk(index, 23, 5000);
#pragma omp taskyield
    }
#pragma omp taskwait
  }
  return a + b * 5 + c * 7;
}

std::uint64_t detach(const Index& index) {
  omp_event_handle_t event;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(first, index) detach(event) depend(out : first)
    first = walk(index, 3, 4000);
#pragma omp task firstprivate(event) shared(index)
    if (walk(index, 9, 30'000) != 1) omp_fulfill_event(event);
#pragma omp task shared(first, second) depend(in : first)
    second = first * 2 + 1;
  }
  return second;
}

/// Each lane takes part with the tasks of its iterations.
std::uint64_t task_reduction(const Index& index) {
  std::uint64_t sum = 0;
  std::uint64_t loop = 0;
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp for reduction(task, + : loop) schedule(dynamic, 2)
    for (std::size_t i = 0; i < 60; ++i) {
      loop += walk(index, i * 7, 300 * (1 + i % 4));
#pragma omp task in_reduction(+ : loop) shared(index)
      loop += walk(index, i * 11, 500 * (1 + i % 3));
    }
#pragma omp single
    for (std::size_t i = 0; i < 30; ++i) {
#pragma omp task in_reduction(+ : sum) shared(index)
      sum += walk(index, i * 13, 700);
    }
  }
  return sum * 3 + loop;
}

/// Three levels of teams: lanes that wait in a barrier of the second are called for tasks that fork the third.
std::uint64_t nested_tasks(const Index& index) {
  omp_set_max_active_levels(3);
  std::uint64_t sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    std::uint64_t part = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (std::size_t i = 0; i < 6; ++i) {
#pragma omp task shared(part, index)
      {
        std::uint64_t inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
        inner += walk(index, i * 11 + static_cast<std::size_t>(omp_get_thread_num()), 2000);
#pragma omp atomic
        part += inner;
      }
    }
    sum += part;
  }
  return sum;
}

/// Threads of the program's own whose regions no order holds: right all the same.
/// They end together: libomp 19 aborts (kmp_alloc.cpp, __kmp_fast_free), with LB-HM and without, in one run of fifty
/// when a thread with tasks ends while others begin.
std::uint64_t foreign_tasks(const Index& index) {
  std::uint64_t sums[3] = {};
  std::vector<std::thread> threads;
  std::latch started(3), done(3);
  for (std::uint64_t& sum : sums) {
    threads.emplace_back([&sum, &index, &started, &done] {
#pragma omp parallel num_threads(3)
      ;
      started.arrive_and_wait();
#pragma omp parallel num_threads(3)
#pragma omp single
      {
        sum = tree_sum(index, 0, n / 32);
        for (std::size_t i = 0; i < 20; ++i) {
#pragma omp task depend(inout : sum) shared(sum, index)
          sum = sum * 3 + walk(index, i, 500);
        }
      }
      done.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return sums[0] + sums[1] * 3 + sums[2] * 5;
}

constexpr Shape shapes[] = {{"nested-tasks", nested_tasks},
                            {"foreign-tasks", foreign_tasks},
                            {"tasks", tasks},
                            {"task-tree", task_tree},
                            {"depend", depend},
                            {"taskloop", taskloop},
                            {"task-forms", task_forms},
                            {"detach", detach},
                            {"task-reduction", task_reduction}};

}  // namespace

std::span<const Shape> task_shapes() { return shapes; }
