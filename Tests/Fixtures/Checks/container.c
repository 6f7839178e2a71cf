/* Starts PROGRAM as if in a container that denies a system call (-DREFUSED=SYS_…), usually the call that reads another
   process's memory, or as if in a container that traces that call itself (-DWATCHES). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef REFUSED
#define REFUSED SYS_process_vm_readv
#endif

int main(int count, char **words) {
  (void)count;
  struct sock_filter steps[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, REFUSED, 0, 1),
#ifdef WATCHES
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
#else
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#ifdef WATCHES
  int watch = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (watch < 0 || fcntl(watch, F_SETFD, 0) != 0) return 1;
#else
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return 1;
#endif
  execv(PROGRAM, words);
  return 1;
}
