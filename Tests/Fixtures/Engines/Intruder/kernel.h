/* Attempts that involve the kernel, memory, terminals, and resources shared between processes. */
#pragma once

#include "tools.h"

static int measure(void) {
  struct perf_event_attr what = {.type = PERF_TYPE_SOFTWARE, .size = sizeof what, .config = PERF_COUNT_SW_TASK_CLOCK,
                                 .disabled = 1, .exclude_kernel = 1};
  return KERNEL_OPENS(SYS_perf_event_open, &what, 0, -1, -1, 0);
}

static int make_ring(void) {
  char parameters[120] = {0};
  return KERNEL_OPENS(SYS_io_uring_setup, 1, parameters);
}

static int read_implies_exec(void) {
  int old = personality(0xffffffff), failure = TRY(personality, (unsigned long)old | READ_IMPLIES_EXEC);
  if (failure == 0) personality((unsigned long)old);
  return failure;
}

static sigjmp_buf before_fault;
static void leap(int number) { siglongjmp(before_fault, number); }

/* Requests the pid with a 32-bit system call. Some kernels do not support such calls. */
static int back_door(void) {
  volatile long result = -ENOSYS;
#if defined(__x86_64__)
  struct sigaction old, now = {.sa_handler = leap};
  sigaction(SIGSEGV, &now, &old);
  long got;
  if (sigsetjmp(before_fault, 1) == 0) {
    __asm__ volatile("int $0x80" : "=a"(got) : "0"(20L) : "memory", "r8", "r9", "r10", "r11");
    result = got;
  }
  sigaction(SIGSEGV, &old, NULL);
#endif
  errno = result < 0 ? (int)-result : 0;
  return answer("int 0x80", result < 0 ? -1 : 0);
}

static int wrong_time(void) {
  struct timeval wrong = {.tv_sec = 1, .tv_usec = -1};
  return KERNEL(settimeofday, &wrong, NULL);
}

static int map(int protection, int flags, int file, bool later) {
  void *page = mmap(NULL, 4096, later ? PROT_READ | PROT_WRITE : protection, flags | MAP_PRIVATE, file, 0);
  int failure = answer("mmap", page == MAP_FAILED ? -1 : 0);
  if (failure == 0 && later) failure = TRY(mprotect, page, 4096, protection);
  if (page != MAP_FAILED) munmap(page, 4096);
  return failure;
}

static int map_file(int file) {
  int failure = answer("open", file);
  if (file >= 0 && ftruncate(file, 4096) == 0) failure = map(PROT_READ | PROT_EXEC, 0, file, false);
  unlink(cached("code"));
  return closing(failure, &file);
}

/* Memory that a limit on a process's allocations does not include. */
static int map_shared(int flags, int file) {
  void *page = mmap(NULL, 4096, PROT_READ, flags, file, 0);
  int failure = answer("mmap", page == MAP_FAILED ? -1 : 0);
  if (page != MAP_FAILED) munmap(page, 4096);
  return failure;
}

static int map_zeros(void) {
  int file = open("/dev/zero", O_RDONLY | O_CLOEXEC), failure = answer("open", file);
  if (file >= 0) failure = map_shared(MAP_SHARED, file);
  return closing(failure, &file);
}

static int set_limit(int resource) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  return TRY(setrlimit, resource, &limit);
}

static int write_own_memory(void) {
  static char byte;
  int file = open("/proc/self/mem", O_RDWR | O_CLOEXEC), failure = answer("open", file);
  if (file >= 0) failure = TRY(pwrite, file, "x", 1, (off_t)(uintptr_t)&byte);
  return closing(failure, &file);
}

static int shared(int kind) {
  long made = kind == 0 ? syscall(SYS_shmget, 0, 4096, 01600) : kind == 1 ? syscall(SYS_msgget, 0, 01600)
                                                                          : syscall(SYS_semget, 0, 1, 01600);
  static const char *const names[] = {"shmget", "msgget", "semget"};
  int failure = answer(names[kind], made);
  if (failure == 0 && kind == 0) syscall(SYS_shmctl, made, 0 /* IPC_RMID */, NULL);
  if (failure == 0 && kind == 1) syscall(SYS_msgctl, made, 0, NULL);
  if (failure == 0 && kind == 2) syscall(SYS_semctl, made, 0, 0, NULL);
  return failure;
}

static int open_queue(void) {
  int failure = KERNEL_OPENS(SYS_mq_open, "synthhost-intruder", O_CREAT | O_RDWR, 0600, NULL);
  if (failure == 0) syscall(SYS_mq_unlink, "synthhost-intruder");
  return failure;
}

static int attempt_on_kernel(const char *name) {
  char room[256] = {0};
  IF("bpf", KERNEL(bpf, 0xffff, room, 16));
  IF("perf", measure());
  IF("userfaultfd", KERNEL_OPENS(SYS_userfaultfd, 1 | O_CLOEXEC));
  IF("keyctl", KERNEL(keyctl, 0, -1, 0));
  IF("add-key", KERNEL(add_key, "user", "synthhost-intruder", "x", 1, -1));
  IF("request-key", KERNEL(request_key, "user", "synthhost-intruder", NULL, -1));
  IF("io-uring", make_ring());
  IF("init-module", KERNEL(init_module, NULL, 0, ""));
  IF("finit-module", KERNEL(finit_module, -1, "", 0));
  IF("delete-module", KERNEL(delete_module, "synthhost-intruder", O_NONBLOCK));
  IF("kexec", KERNEL(kexec_load, 0, -1L, NULL, 0xffffL));
  IF("syslog", KERNEL(syslog, 10, NULL, 0));
  IF("swapon", TRY(swapon, NOWHERE, 0));
  IF("swapoff", TRY(swapoff, NOWHERE));
  IF("reboot", KERNEL(reboot, 0, 0, 0, NULL));
  IF("quotactl", KERNEL(quotactl, -1, NOWHERE, 0, NULL));
  IF("acct", TRY(acct, NOWHERE));
  IF("settimeofday", wrong_time());
  IF("clock-settime", KERNEL(clock_settime, 12345, room));
  IF("clock-adjtime", KERNEL(clock_adjtime, 12345, room));
  IF("sethostname", KERNEL(sethostname, "", -1L));
  IF("setdomainname", KERNEL(setdomainname, "", -1L));
#if defined(__x86_64__)
  IF("iopl", KERNEL(iopl, 4));
  IF("ioperm", KERNEL(ioperm, -1L, 1, 1));
  IF("modify-ldt", KERNEL(modify_ldt, 1, NULL, 0));
  IF("uselib", KERNEL(uselib, NOWHERE));
  IF("other-numbers", answer("x32", syscall(0x40000000 | SYS_getpid)));
#endif
  IF("personality", read_implies_exec());
  IF("obsolete", answer("lookup_dcookie", syscall(SYS_lookup_dcookie, 0, NULL, 0)));
  IF("beyond-all", answer("call 100000", syscall(100000)));
  IF("back-door", back_door());
  IF("executable", map(PROT_READ | PROT_EXEC, MAP_ANONYMOUS, -1, false));
  IF("executable-later", map(PROT_READ | PROT_EXEC, MAP_ANONYMOUS, -1, true));
  IF("writable-executable", map(PROT_READ | PROT_WRITE | PROT_EXEC, MAP_ANONYMOUS, -1, false));
  IF("executable-memory-file", map_file(memfd_create("code", 0)));
  IF("executable-cache-file", map_file(open(cached("code"), O_RDWR | O_CREAT, 0600)));
  IF("shared-memory", map_shared(MAP_SHARED | MAP_ANONYMOUS, -1));
  IF("shared-memory-validated", map_shared(MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1));
  IF("shared-memory-high", answer("mmap", syscall(SYS_mmap, 0L, 4096L, PROT_READ, 1L << LEFT_HALF | MAP_SHARED | MAP_ANONYMOUS, -1L, 0L)));
  IF("shared-zeros", map_zeros());
  IF("memory-file", OPENS(memfd_create, "intruder", MFD_CLOEXEC));
  IF("secret-memory", descriptor("memfd_secret", syscall(CALL_memfd_secret, 0)));
  IF("sync", KERNEL(sync, 0));
  IF("outlive-host", TRY(prctl, PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L));
  IF("outlive-host-high", KERNEL(prctl, 1L << LEFT_HALF | PR_SET_PDEATHSIG, 0L, 0L, 0L, 0L));
  IF("be-traced", TRY(prctl, PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0L, 0L, 0L));
  IF("move-own-memory", TRY(prctl, PR_SET_MM, 0x4fffL, 0L, 0L, 0L));
  IF("limit-memory", set_limit(RLIMIT_DATA));
  IF("limit-files", set_limit(RLIMIT_NOFILE));
  IF("limit-by-old-call", KERNEL(setrlimit, RLIMIT_CORE, room));
  IF("write-own-memory", write_own_memory());
  IF("shmget", shared(0));
  IF("msgget", shared(1));
  IF("semget", shared(2));
  IF("mq-open", open_queue());
  IF("tiocsti", TRY(ioctl, 0, TIOCSTI, NULL));
  IF("tiocsti-high", KERNEL(ioctl, 0, 1L << LEFT_HALF | TIOCSTI, NULL));
  IF("tioclinux", TRY(ioctl, 0, 0x541Cul, NULL));
  IF("tiocsctty", TRY(ioctl, 0, TIOCSCTTY, 0));
  return -1;
}
