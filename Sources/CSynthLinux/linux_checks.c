#define _GNU_SOURCE
#include "linux_checks.h"
#include "linux_filter.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <sys/socket.h>

#define KILL_AT(value) SKIP_UNLESS(value, 1), ANSWER(SECCOMP_RET_KILL_PROCESS)
/* linux_refuse_calls() already rejects calls of other architectures and of x32. */
#define BEGIN LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_MACHINE, 1, 0), ANSWER(SECCOMP_RET_ALLOW), LOAD(nr)

bool linux_forbid_network(void) {
  struct sock_filter filter[] = {
    BEGIN, SKIP_UNLESS(SYS_socket, 5), LOAD(args[0]), KILL_AT(AF_INET), KILL_AT(AF_INET6), ANSWER(SECCOMP_RET_ALLOW),
  };
  return install_filter(filter, sizeof filter / sizeof *filter, SECCOMP_FILTER_FLAG_TSYNC) == 0;
}

bool linux_forbid_processes(void) {
  struct sock_filter filter[] = {
    BEGIN,
#ifdef SYS_fork
    KILL_AT(SYS_fork), KILL_AT(SYS_vfork),
#endif
    KILL_AT(SYS_execve), KILL_AT(SYS_execveat),
    /* The flags of clone3 are in memory, which a filter cannot read; the C library falls back to clone. */
    SKIP_UNLESS(SYS_clone3, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
    SKIP_UNLESS(SYS_clone, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS), ANSWER(SECCOMP_RET_ALLOW),
  };
  return install_filter(filter, sizeof filter / sizeof *filter, SECCOMP_FILTER_FLAG_TSYNC) == 0;
}

size_t linux_heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
