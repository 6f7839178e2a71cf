#define _GNU_SOURCE
#include "linux_programs.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static void become(const char *program, char *const arguments[], char *const variables[], const char *folder,
                   const int *sources, const int *numbers, int count, bool ignores_broken_pipes) {
  setpgid(0, 0);
  for (int i = 0; i < count; i++)
    if (dup2(sources[i], numbers[i]) < 0) return;
  if (folder && chdir(folder)) return;
  for (int number = 1; number < NSIG; number++)
    if (number != SIGPIPE || !ignores_broken_pipes) signal(number, SIG_DFL);
  if (ignores_broken_pipes) signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program, arguments, variables);
}

static int sources_begin(const int *sources, int count) { return count > 0 ? sources[0] : 0; }

pid_t linux_start_beside(const char *program, char *const arguments[], char *const variables[], const char *folder,
                         const int *sources, const int *numbers, int count, bool ignores_broken_pipes, int *failure) {
  int ends[2];
  *failure = 0;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  /* As fork(2), which has no such flag. */
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    /* The pipe is not in the way of the numbers: it is moved above all of them. */
    int report = fcntl(ends[1], F_DUPFD_CLOEXEC, sources_begin(sources, count));
    if (report < 0) report = ends[1];
    else become(program, arguments, variables, folder, sources, numbers, count, ignores_broken_pipes);
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    (void)written;
    _exit(127);
  }
  int code = errno;
  close(ends[1]);
  if (child > 0) {
    ssize_t received;
    do {
      received = read(ends[0], failure, sizeof *failure);
    } while (received < 0 && errno == EINTR);
  }
  close(ends[0]);
  errno = code;
  return child;
}

#if defined(__x86_64__)
#define THIS_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

/* Call numbers from here on are those of x32 on x86-64. Other machines have none. */
#define OTHER_CALLS 0x40000000

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define SKIP_BELOW(value, count) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, count)
#define ANSWER(action) BPF_STMT(BPF_RET | BPF_K, action)

static const struct { uint32_t gift; unsigned short number; } given_up[] = {
    {LINUX_PROGRAMS, SYS_execve}, {LINUX_PROGRAMS, SYS_execveat},
    /* Nor does it make what it has started do so. */
    {LINUX_PROGRAMS, SYS_ptrace}, {LINUX_PROGRAMS, SYS_process_vm_writev}, {LINUX_PROGRAMS, 438 /* pidfd_getfd */},
    {LINUX_SOCKETS, SYS_socket}, {LINUX_SOCKETS, SYS_connect}, {LINUX_SOCKETS, SYS_bind},
    {LINUX_GROUPS, SYS_setsid}, {LINUX_GROUPS, SYS_setpgid},
};
enum { GIVEN_UP = sizeof given_up / sizeof *given_up };

bool linux_give_up(uint32_t gifts) {
  /* Calls of another architecture (int $0x80) or of x32 have other numbers, so all of them are refused. */
  struct sock_filter steps[6 + 2 * GIVEN_UP] = {
      LOAD(arch), SKIP_UNLESS(THIS_MACHINE, 2), LOAD(nr), SKIP_BELOW(OTHER_CALLS, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS)};
  size_t count = 5;
  for (size_t i = 0; i < GIVEN_UP; i++) {
    if (!(given_up[i].gift & gifts)) continue;
    steps[count++] = (struct sock_filter)SKIP_UNLESS(given_up[i].number, 1);
    steps[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM);
  }
  steps[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {.len = (unsigned short)count, .filter = steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0;
}

void linux_name_process(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void linux_keep_private(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return;
#endif
#endif
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
