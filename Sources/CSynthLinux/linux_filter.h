#pragma once

/* The parts of system-call filters (seccomp(2)) that several files share. */

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)

/* Returns the result of seccomp(2). */
static inline long install_filter(struct sock_filter *steps, size_t count, unsigned flags) {
  struct sock_fprog program = {.len = (unsigned short)count, .filter = steps};
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}
