#define _GNU_SOURCE
#include "linux_programs.h"
#include "linux_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

/* The memory that the child shares with its parent, including the child's stack. */
struct start {
  const struct linux_program *program;
  pid_t parent;
  int failure;
  _Alignas(16) char stack[64 << 10];
};

/* Runs in the child, which shares its parent's memory until it runs the program, so only system calls are safe. Returns on failure. */
static void become(const struct linux_program *program, pid_t parent) {
  /* The setting survives execve(2), and engines cannot change it (linux_refused.c). */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return;
  /* No signal will be sent if the parent has already ended, so check. 0 = the parent is outside this process's namespace. */
  const pid_t now = getppid();
  if (now != parent && now != 0) return;
  if (program->group == LINUX_OWN_GROUP) setpgid(0, 0);
  if (program->group == LINUX_OWN_SESSION && setsid() < 0) return;
  int last = STDERR_FILENO;
  for (int i = 0; i < program->count; i++) {
    const int number = program->numbers[i];
    if (dup2(program->sources[i], number) < 0) return;
    if (number > last) last = number;
  }
  if (program->group == LINUX_OWN_SESSION)
    for (int i = 0; i < program->count && ioctl(program->numbers[i], TIOCSCTTY, 0) != 0; i++) continue;
  for (int number = 0; number <= STDERR_FILENO; number++)
    if (program->closed & 1u << number) close(number);
  closefrom(last + 1);
  if (program->folder && chdir(program->folder)) return;
  /* Ctrl-Z may have reached this process before it left its parent's group. This process would then stop before execve(2), which the
     parent waits for, so the parent could not stop. Ignoring the signal discards it. */
  if (program->group != LINUX_PARENTS_GROUP) {
    signal(SIGTSTP, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
  }
  for (int number = 1; number < NSIG; number++)
    if (number != SIGPIPE || !program->ignores_broken_pipes) signal(number, SIG_DFL);
  if (program->ignores_broken_pipes) signal(SIGPIPE, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program->path, program->arguments, program->variables);
}

static int run_child(void *given) {
  struct start *start = given;
  become(start->program, start->parent);
  start->failure = errno ? errno : ESRCH;
  _exit(127);
}

/* Sanitizers do not support processes that share memory. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COPIES_MEMORY 1
#endif
#endif

static pid_t clone_child(struct start *start, int flags) {
#ifdef COPIES_MEMORY
  pid_t child = (pid_t)syscall(SYS_clone, CLONE_VFORK | flags, 0, 0, 0, 0);
  if (child == 0) run_child(start);
  return child;
#else
  return clone(run_child, start->stack + sizeof start->stack, CLONE_VM | CLONE_VFORK | flags, start);
#endif
}

pid_t linux_start_program(const struct linux_program *program, int *failure) {
  *failure = 0;
  struct start *start = mmap(NULL, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return -1;
  start->program = program;
  start->parent = program->parent ? program->parent : getpid();
  /* This process's handlers must not run in the child, so block all signals until they have their default actions. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  errno = 0;
  const pid_t child = clone_child(start, SIGCHLD | (program->parent ? CLONE_PARENT : 0));
  const int code = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (child > 0) *failure = start->failure;
  munmap(start, sizeof *start);
  errno = code;
  return child;
}

/* On x86-64, call numbers from this value up are for x32. Other architectures do not use them. */
#define OTHER_CALLS 0x40000000

#define SKIP_BELOW(value, count) BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, 0, count)

static const struct { uint32_t gift; unsigned short number; } given_up[] = {
    {LINUX_PROGRAMS, SYS_execve}, {LINUX_PROGRAMS, SYS_execveat},
    /* Making another process run a program. */
    {LINUX_PROGRAMS, SYS_ptrace}, {LINUX_PROGRAMS, SYS_process_vm_writev}, {LINUX_PROGRAMS, 438 /* pidfd_getfd */},
    {LINUX_SOCKETS, SYS_socket}, {LINUX_SOCKETS, SYS_connect}, {LINUX_SOCKETS, SYS_bind},
    {LINUX_GROUPS, SYS_setsid}, {LINUX_GROUPS, SYS_setpgid},
};
enum { GIVEN_UP = sizeof given_up / sizeof *given_up };

bool linux_give_up(uint32_t gifts) {
  /* Calls of another architecture (int $0x80) and of x32 have different numbers, so all of them are rejected. */
  struct sock_filter steps[6 + 2 * GIVEN_UP] = {
      LOAD(arch), SKIP_UNLESS(THIS_MACHINE, 2), LOAD(nr), SKIP_BELOW(OTHER_CALLS, 1), ANSWER(SECCOMP_RET_ERRNO | ENOSYS)};
  size_t count = 5;
  for (size_t i = 0; i < GIVEN_UP; i++) {
    if (!(given_up[i].gift & gifts)) continue;
    steps[count++] = (struct sock_filter)SKIP_UNLESS(given_up[i].number, 1);
    steps[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM);
  }
  steps[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         install_filter(steps, count, SECCOMP_FILTER_FLAG_TSYNC) == 0;
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
