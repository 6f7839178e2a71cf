#define _GNU_SOURCE
#include "linux_checks.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define KILL_AT(value) UNLESS(value, 1), RETURN(SECCOMP_RET_KILL_PROCESS)
/* linux_refuse_calls() already rejects calls of other architectures and of x32. */
#define BEGIN LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_ALLOW), LOAD(nr)

static bool install(struct sock_filter *filter, size_t count) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = filter};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

bool linux_forbid_network(void) {
  struct sock_filter filter[] = {
    BEGIN, UNLESS(SYS_socket, 5), LOAD(args[0]), KILL_AT(AF_INET), KILL_AT(AF_INET6), RETURN(SECCOMP_RET_ALLOW),
  };
  return install(filter, sizeof filter / sizeof *filter);
}

bool linux_forbid_processes(void) {
  struct sock_filter filter[] = {
    BEGIN,
#ifdef SYS_fork
    KILL_AT(SYS_fork), KILL_AT(SYS_vfork),
#endif
    KILL_AT(SYS_execve), KILL_AT(SYS_execveat),
    /* The flags of clone3 are in memory, which a filter cannot read; the C library falls back to clone. */
    UNLESS(SYS_clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
    UNLESS(SYS_clone, 3), LOAD(args[0]), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW),
  };
  return install(filter, sizeof filter / sizeof *filter);
}

size_t linux_heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
