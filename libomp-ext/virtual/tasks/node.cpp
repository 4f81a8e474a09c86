// How tasks come into being and go away.
#include <cstring>
#include <new>

#include "libomp-ext/virtual/tasks/scheduler.h"

namespace lbhm::tasks {
namespace {

constexpr char our_mark = 0;

/// What libomp executes in place of the task: it has a task of its own, with a pointer to ours behind it.
struct Standin {
  KmpTask task;
  Node* node;
};

std::int32_t execute_node(GlobalThread thread, KmpTask* task) {
  Node& node = *reinterpret_cast<Standin*>(task)->node;
  do {
    node.again = false;
    node.task->routine(thread, node.task);
  } while (node.again);
  if ((node.form.flags & flag_destructors) != 0) node.task->data1.destructors(thread, node.task);
  return 0;
}

/// Node, task and shared variables in one block.
struct Layout {
  std::size_t task;
  std::size_t shareds;
  std::size_t bytes;

  explicit Layout(const Form& form) {
    const auto round = [](std::size_t n) { return (n + 63) & ~std::size_t{63}; };
    task = round(sizeof(Node));
    shareds = round(task + form.task_bytes);
    bytes = shareds + form.shared_bytes;
  }
};

void* make_standin(void* location, GlobalThread thread, Node& node) {
  using Allocate = void*(void*, GlobalThread, std::int32_t, std::size_t, std::size_t, Routine*);
  static constinit OpenMPFunction<Allocate> allocate("__kmpc_omp_task_alloc");
  const std::int32_t kept = node.form.flags & (flag_final | flag_detachable);
  auto* standin = static_cast<Standin*>(
      allocate(location, thread, kept | flag_tied | flag_merged_if0, sizeof(Standin), 0, execute_node));
  standin->node = &node;
  return standin;
}

}  // namespace

KmpTask* make(Lane& lane, void* location, GlobalThread thread, const Form& form) {
  const Layout layout(form);
  auto* block = static_cast<std::byte*>(lane.memory->allocate(layout.bytes));
  std::memset(block, 0, layout.bytes);
  Node& node = *new (block) Node;
  node.mark = &our_mark;
  node.team = lane.team;
  node.parent = lane.current;
  node.group = node.member_of = lane.current->group;
  node.home = lane.memory;
  node.maker = lane.index;
  node.form = form;
  if (lane.current->final()) node.form.flags |= flag_final;
  node.location = location;
  node.task = new (block + layout.task) KmpTask{};
  node.task->shareds = form.shared_bytes > 0 ? block + layout.shareds : nullptr;
  node.task->routine = form.routine;
  node.real = make_standin(location, thread, node);
  const Guard guard(lane.team->lock);
  ++lane.current->references;
  return node.task;
}

KmpTask* try_make(Lane& lane, void* location, GlobalThread thread, const Form& form) {
  try {
    return make(lane, location, thread, form);
  } catch (const std::bad_alloc&) {
    wait_for_children(lane);  // what depends on them would not wait for them
    return nullptr;
  }
}

Node* node_of(KmpTask* task) {
  const std::size_t behind = Layout(Form{}).task;
  auto* node = reinterpret_cast<Node*>(reinterpret_cast<std::byte*>(task) - behind);
  return node->mark == &our_mark ? node : nullptr;
}

void release(Node* node) {
  while (node != nullptr && --node->references == 0) {
    Node* parent = node->parent;
    LaneMemory* home = node->home;
    const std::size_t bytes = Layout(node->form).bytes;
    node->mark = nullptr;
    node->~Node();
    home->give_back(node, bytes);
    node = parent;
  }
}

}  // namespace lbhm::tasks
