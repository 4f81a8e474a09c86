// refuse RULE... -- PROGRAM [ARGUMENTS]: runs a program some of whose system calls fail. LBHM_REFUSED=FILE: how often
// each rule applied is written there, a line a rule. Exit status: that of the program, 128 + its signal, or 125 and a
// sentence if the launcher itself cannot do it.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "tests/faults/refuse/listener.h"

namespace {

constexpr int own_failure = 125;  // as of env(1) and timeout(1)

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "refuse: %s: %s\n", what, std::strerror(errno));
  std::exit(own_failure);
}

/// Passes a descriptor through a socket (unix(7), SCM_RIGHTS).
struct Passing {
  char byte = 0;
  iovec data{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};

  Passing() {
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
  }
};

void send_descriptor(int socket, int descriptor) {
  Passing passing;
  cmsghdr* header = CMSG_FIRSTHDR(&passing.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  if (sendmsg(socket, &passing.message, 0) != 1) give_up("sendmsg");
}

/// -1: the other side ended without sending one.
int receive_descriptor(int socket) {
  Passing passing;
  if (recvmsg(socket, &passing.message, MSG_CMSG_CLOEXEC) != 1) return -1;
  const cmsghdr* const header = CMSG_FIRSTHDR(&passing.message);
  if (header == nullptr) return -1;
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

[[noreturn]] void become(char** program, int socket, const std::vector<refuse::Rule>& rules) {
  std::vector<refuse::Call> calls;
  for (const refuse::Rule& rule : rules)
    for (const refuse::Call& call : refuse::calls_of(rule)) calls.push_back(call);
  const int listener = refuse::ask_about(calls);
  if (listener < 0) give_up("seccomp(SECCOMP_FILTER_FLAG_NEW_LISTENER)");
  send_descriptor(socket, listener);
  close(listener);
  close(socket);
  if (const char* preload = std::getenv("LBHM_PRELOAD")) setenv("LD_PRELOAD", preload, 1);
  execvp(program[0], program);
  give_up(program[0]);
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

void write_counts(const std::vector<refuse::Rule>& rules) {
  const char* path = std::getenv("LBHM_REFUSED");
  if (!path) return;
  std::ofstream out(path);
  for (const refuse::Rule& rule : rules) out << rule.refused << "\n";
}

}  // namespace

int main(int count, char** words) {
  std::vector<refuse::Rule> rules;
  int at = 1;
  for (; at < count && std::strcmp(words[at], "--") != 0; ++at) {
    const auto rule = refuse::parse_rule(words[at]);
    if (!rule) {
      std::fprintf(stderr, "refuse: '%s' is no rule; it must be CALL[:WHAT][#N|#N-M]=ERROR, see refuse/rule.h\n",
                   words[at]);
      return own_failure;
    }
    rules.push_back(*rule);
  }
  if (rules.empty() || at + 1 >= count) {
    std::fprintf(stderr, "usage: refuse CALL[:WHAT][#N|#N-M]=ERROR... -- PROGRAM [ARGUMENTS]\n");
    return own_failure;
  }
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) give_up("socketpair");
  const pid_t child = fork();
  if (child < 0) give_up("fork");
  if (child == 0) become(words + at + 1, sockets[1], rules);
  close(sockets[1]);
  const int listener = receive_descriptor(sockets[0]);
  const int status = listener >= 0 ? refuse::answer(listener, child, rules) : refuse::status_of(child);
  write_counts(rules);
  return exit_status(status);
}
