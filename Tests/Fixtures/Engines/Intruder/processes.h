/* Attempts that involve programs and processes. */
#pragma once

#include "tools.h"

/* The kernel opens the program before it reads the arguments, whose address is invalid, so the program never runs. */
static char *const *unreadable(void) { return (char *const *)8; }

static int run_memory(void) {
  int file = memfd_create("program", 0), failure = answer("memfd_create", file);
  if (file >= 0 && write(file, "#!/bin/true\n", 12) == 12)
    failure = KERNEL(execveat, file, "", unreadable(), NULL, AT_EMPTY_PATH);
  return closing(failure, &file);
}

/* If there is a child, it exits immediately. */
static int child(const char *name, long made) {
  int failure = answer(name, made);
  if (made == 0) syscall(SYS_exit_group, 0);
  if (made > 0) waitpid((pid_t)made, NULL, __WALL);
  return failure;
}

static int run_nothing(void *nothing) { return nothing != NULL; }

static int share_memory(void) {
  static char stack[16384] __attribute__((aligned(16)));
  long made = clone(run_nothing, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
  return child("clone", made);
}

static int raw_vfork(void) {
#if defined(__x86_64__)
  long made;
  __asm__ volatile("syscall; test %%rax, %%rax; jnz 1f; mov %2, %%eax; xor %%edi, %%edi; syscall; 1:"
                   : "=a"(made) : "0"((long)SYS_vfork), "i"(SYS_exit_group) : "rcx", "r11", "rdi", "memory", "cc");
  if (made < 0) errno = (int)-made;
  return child("vfork", made < 0 ? -1 : made);
#else
  return share_memory();
#endif
}

static int clone_anew(unsigned long long flags) {
  struct clone_args wish = {.flags = flags, .exit_signal = SIGCHLD};
  return child("clone3", syscall(SYS_clone3, &wish, sizeof wish));
}

static int queue_signal(pid_t process) {
  siginfo_t information = {.si_signo = 0, .si_code = SI_QUEUE, .si_pid = getpid(), .si_uid = getuid()};
  return KERNEL(rt_sigqueueinfo, process, 0, &information);
}

static int signal_by_descriptor(const char *name, int file, bool gets) {
  int failure = answer(name, file);
  if (file >= 0 && gets) failure = closing(NEW_KERNEL(pidfd_getfd, file, 0, 0), &(int){-1});
  else if (file >= 0) failure = KERNEL(pidfd_send_signal, file, 0, NULL, 0);
  return closing(failure, &file);
}

/* The other end of the control socket belongs to the host. */
static int signal_peer(void) {
  int file = -1;
  socklen_t length = sizeof file;
  int failure = TRY(getsockopt, 3, SOL_SOCKET, PEER_PIDFD, &file, &length);
  return failure ? failure : signal_by_descriptor("getsockopt", file, false);
}

/* Requests a signal for each byte that arrives. */
static int signal_by_socket(pid_t process, int command) {
  int ends[2];
  struct { int type; pid_t process; } owner = {1 /* F_OWNER_PID */, process};
  int failure = TRY(socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
  if (failure) return failure;
  switch (command) {
    case F_SETOWN: failure = TRY(fcntl, ends[0], F_SETOWN, process); break;
    case 15 /* F_SETOWN_EX */: failure = TRY(fcntl, ends[0], command, &owner); break;
    default: failure = TRY(ioctl, ends[0], (unsigned long)command, &process);
  }
  if (failure == 0) failure = TRY(fcntl, ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  if (failure == 0) failure = TRY(write, ends[1], "x", 1);
  close(ends[0]), close(ends[1]);
  return failure;
}

static int foreign_memory(pid_t process, long number) {
  char byte = 0;
  struct iovec own = {&byte, 1}, foreign = {(void *)4096, 1};
  return answer("process_vm_…", syscall(number, process, &own, 1L, &foreign, 1L, 0L));
}

/* Requests priority over all other processes on the machine. */
static int take_over(void) {
  struct sched_param low = {1}, none = {0};
  int failure = TRY(sched_setscheduler, 0, SCHED_FIFO, &low);
  if (failure == 0) sched_setscheduler(0, SCHED_OTHER, &none);
  return failure;
}

static int schedule(pid_t process, int way) {
  cpu_set_t all;
  struct sched_param none = {0};
  memset(&all, 0xff, sizeof all);
  return way ? TRY(sched_setaffinity, process, sizeof all, &all) : TRY(sched_setscheduler, process, SCHED_BATCH, &none);
}

static int attempt_on_processes(const char *name, const char *target) {
  struct rlimit limit;
  IF("execve", KERNEL(execve, target, unreadable(), NULL));
  IF("execveat", KERNEL(execveat, AT_FDCWD, target, unreadable(), NULL, 0));
  IF("run-memory", run_memory());
  IF("fork", child("fork", fork()));
#ifdef SYS_fork
  IF("raw-fork", child("raw fork", syscall(SYS_fork)));
#else
  IF("raw-fork", child("raw fork", fork()));
#endif
  IF("vfork", raw_vfork());
  IF("clone", child("clone", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
  IF("clone-sharing", share_memory());
  IF("clone-space", child("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)));
  IF("clone-high", child("clone", syscall(SYS_clone, 1L << LEFT_HALF | SIGCHLD, 0, 0, 0, 0)));
  IF("clone3", clone_anew(0));
  IF("clone3-space", clone_anew(CLONE_NEWUSER));
  IF("unshare", TRY(unshare, CLONE_NEWUSER | 1 /* no such flag */));
  IF("unshare-mounts", TRY(unshare, CLONE_NEWNS | 1));
  IF("setns", TRY(setns, -1, 0));
  IF("signal", TRY(kill, PROCESS, 0));
  IF("signal-high", KERNEL(kill, 1L << LEFT_HALF | PROCESS, 0));
  IF("signal-group", TRY(kill, -getpgid(PROCESS), 0));
  IF("signal-all", TRY(kill, -1, 0));
  IF("tgkill", KERNEL(tgkill, PROCESS, PROCESS, 0));
  IF("tkill", KERNEL(tkill, PROCESS, 0));
  IF("rt-sigqueueinfo", queue_signal(PROCESS));
  IF("pidfd-signal", signal_by_descriptor("pidfd_open", (int)syscall(SYS_pidfd_open, PROCESS, 0), false));
  IF("pidfd-getfd", signal_by_descriptor("pidfd_open", (int)syscall(SYS_pidfd_open, PROCESS, 0), true));
  IF("folder-signal", signal_by_descriptor("open", open(in_proc(target, ""), O_RDONLY | O_DIRECTORY), false));
  IF("peer-signal", signal_peer());
  IF("pidfd-send-signal", KERNEL(pidfd_send_signal, -1, 0, NULL, 0));
  IF("setown", signal_by_socket(PROCESS, F_SETOWN));
  IF("setown-ex", signal_by_socket(PROCESS, 15));
  IF("fiosetown", signal_by_socket(PROCESS, 0x8901));
  IF("siocspgrp", signal_by_socket(PROCESS, 0x8902));
  IF("ptrace", TRY(ptrace, PTRACE_SEIZE, PROCESS, NULL, NULL));
  IF("ptrace-me", TRY(ptrace, (enum __ptrace_request)0x4fff, PROCESS, NULL, NULL));
  IF("process-vm-readv", foreign_memory(PROCESS, SYS_process_vm_readv));
  IF("process-vm-writev", foreign_memory(PROCESS, SYS_process_vm_writev));
  IF("prlimit", TRY(prlimit, PROCESS, RLIMIT_NOFILE, NULL, &limit));
  IF("setpriority", TRY(setpriority, PRIO_PROCESS, (id_t)PROCESS, 0));
  IF("ioprio-set", KERNEL(ioprio_set, 1, PROCESS, 2 << 13 | 4));
  IF("sched-setaffinity", schedule(PROCESS, 1));
  IF("sched-setscheduler", schedule(PROCESS, 0));
  IF("realtime", take_over());
  IF("clone-thread-space", answer("clone", syscall(SYS_clone, CLONE_THREAD | CLONE_VM | CLONE_NEWNET, 0, 0, 0, 0)));
  IF("sched-setattr", KERNEL(sched_setattr, PROCESS, NULL, 0));
  IF("move-pages", KERNEL(move_pages, PROCESS, 0L, NULL, NULL, NULL, 0L));
  IF("migrate-pages", KERNEL(migrate_pages, PROCESS, 0, NULL, NULL));
  IF("process-madvise", NEW_KERNEL(process_madvise, -1, NULL, 0, 0, 0));
  IF("process-mrelease", NEW_KERNEL(process_mrelease, -1, 0));
  IF("kcmp", KERNEL(kcmp, getpid(), PROCESS, 0, 0, 0));
  IF("setsid", TRY(setsid));
  IF("setpgid", TRY(setpgid, 0, 0));
  return -1;
}
