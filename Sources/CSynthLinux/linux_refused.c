/* The system calls that a process running untrusted code may not make, with reasons. A call is in this list if it affects other
   processes or files in a way that Landlock does not restrict, or exposes a large part of the kernel to code that does not need
   it. Calls that compute, wait, map memory, or use open descriptors are allowed. */
#define _GNU_SOURCE
#include "linux_confine.h"
#include "linux_filter.h"
#include "linux_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Connecting to a network or another program. Inherited sockets remain usable with read, write and sendmsg. For processes that may
   connect, the arguments are checked instead. */
static const unsigned short of_network[] = {SYS_socket, SYS_connect};

static const unsigned short refused[] = {
    /* Acting as a server. */
    SYS_bind, SYS_listen, SYS_accept, SYS_accept4,

    /* Accessing other programs and processes. */
    SYS_execveat, SYS_setsid, SYS_setpgid, SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root,
#ifdef __x86_64__
    SYS_fork, SYS_vfork,
#endif
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, 440 /* process_madvise */, 448 /* process_mrelease */,
    SYS_setrlimit, SYS_kcmp, 434 /* pidfd_open */, 438 /* pidfd_getfd */, 424 /* pidfd_send_signal */, SYS_tkill, SYS_move_pages,
    SYS_migrate_pages, SYS_ioprio_set, SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr,

    /* File operations that Landlock does not restrict: changing owners, modes and times, even of files that must not be opened;
       watching file accesses; opening files by handle; flock, which locks the voice store. */
    SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 463 /* setxattrat */, 466 /* removexattrat */,
    469 /* file_setattr */, SYS_inotify_init1, SYS_inotify_add_watch, SYS_fanotify_init, SYS_fanotify_mark,
    SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_truncate /* restricted by Landlock from version 3 */,
    SYS_flock,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_inotify_init,
#endif

    /* Reading extended attributes, which Landlock does not restrict either, such as download sources, labels and access control lists. */
    SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, SYS_listxattr, SYS_llistxattr, SYS_flistxattr, 464 /* getxattrat */,
    465 /* listxattrat */, 468 /* file_getattr */,

    /* Syncing all programs' files, which stalls the machine for a while. fsync(2) is allowed. */
    SYS_sync, SYS_syncfs,

    /* Memory and queues that a user's processes share by number or name. */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop, SYS_semtimedop,
    SYS_semctl, SYS_mq_open, SYS_mq_unlink,

    /* Large kernel subsystems in which vulnerabilities have been found repeatedly. */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, 425 /* io_uring_setup */, 426 /* io_uring_enter */,
    427 /* io_uring_register */, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_vmsplice,

    /* Controlling the machine. Most of these calls require privileges that users do not have, but a container may grant some. */
    SYS_mount, SYS_umount2, 428 /* open_tree */, 429 /* move_mount */, 430 /* fsopen */, 431 /* fsconfig */,
    432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */, 457 /* statmount */, 458 /* listmount */,
    467 /* open_tree_attr */, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
    SYS_swapoff, SYS_acct, SYS_quotactl, 443 /* quotactl_fd */, SYS_syslog, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
    SYS_clock_adjtime, SYS_sethostname, SYS_setdomainname, SYS_vhangup, SYS_nfsservctl, SYS_lookup_dcookie,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS__sysctl,
#endif

    /* Changing the process's identity. */
    SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid, SYS_setfsuid, SYS_setfsgid,
    SYS_setgroups, SYS_capset, SYS_personality,
};

/* Running another program, which is equally confined. Allowed only for processes that were started for that purpose. */
static const unsigned short of_programs[] = {SYS_execve};

/* Anonymous files, whose memory RLIMIT_DATA does not limit. Allowed only for processes that may write code or control devices. The
   same applies to shared anonymous mappings, for which the arguments of mmap are checked. */
static const unsigned short of_memory[] = {SYS_memfd_create, 447 /* memfd_secret */};

/* New namespaces. */
#define NEW_SPACES \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* Calls with higher numbers fail with ENOSYS, as if the kernel did not have them. */
enum { LAST_KNOWN = 469 };

/* The lower half of an argument, which little-endian machines store first. */
#define LOAD_ARGUMENT(number) LOAD(args[number])
#define LOAD_UPPER_ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[number]) + 4)
#define SKIP_IF(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, count, 0)
#define SKIP_IF_ABOVE(value, count) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, value, count, 0)
#define SKIP_UNLESS_ABOVE(value, count) BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, value, 0, count)
#define SKIP_UNLESS_ANY(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count)
#define ONLY(bits) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits)
#define REFUSE ANSWER(refusal)
#define UNKNOWN ANSWER(SECCOMP_RET_ERRNO | ENOSYS)
#define ALLOW ANSWER(SECCOMP_RET_ALLOW)

enum {
  COUNT = sizeof refused / sizeof *refused,
  NETWORK_COUNT = sizeof of_network / sizeof *of_network,
  MEMORY_COUNT = sizeof of_memory / sizeof *of_memory,
  PROGRAM_COUNT = sizeof of_programs / sizeof *of_programs,
  MOST_CALLS = COUNT + NETWORK_COUNT + MEMORY_COUNT + PROGRAM_COUNT + LINUX_MOST_FILE_CALLS,
  GROUP = 16,
  MOST_STEPS = 3 * MOST_CALLS + 220
};

static int compare(const void *one, const void *other) {
  return *(const unsigned short *)one - *(const unsigned short *)other;
}

/* Returns the result of seccomp(2). */
static long filter_calls(uint32_t freedoms, unsigned refusal, unsigned flag) {
  const bool network = (freedoms & LINUX_MAY_CONNECT) != 0;
  const bool shares_memory = (freedoms & (LINUX_MAY_WRITE_CODE | LINUX_MAY_CONTROL)) != 0;
  const unsigned own = (unsigned)getpid();
  struct sock_filter steps[MOST_STEPS];
  size_t count = 0;
#define ADD(...)                                                                   \
  do {                                                                             \
    const struct sock_filter added[] = {__VA_ARGS__};                              \
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) steps[count++] = added[i]; \
  } while (0)

  ADD(LOAD(arch), SKIP_IF(THIS_MACHINE, 1), UNKNOWN, LOAD(nr), SKIP_UNLESS_ABOVE(LAST_KNOWN, 1), UNKNOWN);
  /* The numbers are sorted and divided into groups, most of which are skipped: when the kernel installs the filter, it evaluates
     the filter for every possible call, which would take a third of a millisecond with a single long list. */
  unsigned short numbers[MOST_CALLS];
  size_t left = COUNT;
  memcpy(numbers, refused, sizeof refused);
  if (!network) {
    memcpy(numbers + left, of_network, sizeof of_network);
    left += NETWORK_COUNT;
  }
  if ((freedoms & LINUX_MAY_BECOME) == 0) {
    memcpy(numbers + left, of_programs, sizeof of_programs);
    left += PROGRAM_COUNT;
  }
  if (!shares_memory) {
    memcpy(numbers + left, of_memory, sizeof of_memory);
    left += MEMORY_COUNT;
  }
  if (refusal == SECCOMP_RET_USER_NOTIF) left += linux_file_calls(numbers + left);
  qsort(numbers, left, sizeof *numbers, compare);
  for (const unsigned short *group = numbers; left > 0;) {
    size_t size = left < GROUP ? left : GROUP;
    ADD(SKIP_IF_ABOVE(group[size - 1], (unsigned char)(2 * size)));
    for (size_t i = 0; i < size; i++) ADD(SKIP_UNLESS(group[i], 1), REFUSE);
    group += size;
    left -= size;
  }

  /* Signals may be sent only to this process. */
  const unsigned short to_process[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};
  for (size_t i = 0; i < sizeof to_process / sizeof *to_process; i++)
    ADD(SKIP_UNLESS(to_process[i], 4), LOAD_ARGUMENT(0), SKIP_IF(own, 1), REFUSE, ALLOW);
  /* Processor affinity may also be changed only for this process. 0 is the caller. */
  ADD(SKIP_UNLESS(SYS_sched_setaffinity, 5), LOAD_ARGUMENT(0), SKIP_IF(own, 2), SKIP_IF(0, 1), REFUSE, ALLOW);
  /* The process may read its own limits but not set them, because root could raise them. */
  ADD(SKIP_UNLESS(SYS_prlimit64, 9), LOAD_ARGUMENT(0), SKIP_IF(own, 1), SKIP_UNLESS(0, 4), LOAD_ARGUMENT(2), SKIP_UNLESS(0, 2),
      LOAD_UPPER_ARGUMENT(2), SKIP_IF(0, 1), REFUSE, ALLOW);
  ADD(SKIP_UNLESS(SYS_setpriority, 6), LOAD_ARGUMENT(0), SKIP_UNLESS(PRIO_PROCESS, 2), LOAD_ARGUMENT(1), SKIP_IF(0, 1), REFUSE,
      ALLOW);
  /* fcntl must not signal other processes, watch folders, or take leases that block writers of a file. */
  ADD(SKIP_UNLESS(SYS_fcntl, 7), LOAD_ARGUMENT(1), SKIP_IF(F_SETOWN, 4), SKIP_IF(F_SETOWN_EX, 3), SKIP_IF(F_NOTIFY, 2),
      SKIP_IF(F_SETLEASE, 1), ALLOW, REFUSE);
  /* ioctl is allowed only for queries about a descriptor, because devices, terminals, networks and file systems have hundreds of other
     requests. A process that may control devices may use all of them, except those for files (types f, v and X), terminal input, and
     signals. */
  static const unsigned beyond_devices[] = {TIOCSTI, TIOCLINUX, TIOCSCTTY, FIOSETOWN, SIOCSPGRP};
  if (freedoms & LINUX_MAY_CONTROL) {
    for (size_t i = 0; i < sizeof beyond_devices / sizeof *beyond_devices; i++)
      ADD(SKIP_UNLESS(SYS_ioctl, 4), LOAD_ARGUMENT(1), SKIP_UNLESS(beyond_devices[i], 1), REFUSE, LOAD(nr));
    ADD(SKIP_UNLESS(SYS_ioctl, 8), LOAD_ARGUMENT(1), ONLY(0xFF00), SKIP_IF('f' << 8, 4), SKIP_IF('X' << 8, 3), SKIP_IF('v' << 8, 2),
        SKIP_IF(0x94 << 8 /* btrfs, and files that share extents */, 1), ALLOW, REFUSE);
  } else ADD(SKIP_UNLESS(SYS_ioctl, 9), LOAD_ARGUMENT(1), SKIP_IF(FIONREAD, 6), SKIP_IF(FIONBIO, 5), SKIP_IF(FIOCLEX, 4),
      SKIP_IF(FIONCLEX, 3), SKIP_IF(TCGETS, 2), SKIP_IF(TIOCGWINSZ, 1), REFUSE, ALLOW);
  /* Opening a file for reading must not truncate it. Before version 3, Landlock requires only read access for that. */
  ADD(SKIP_UNLESS(SYS_openat, 8), LOAD_ARGUMENT(2), SKIP_UNLESS_ANY(O_TRUNC, 5), ONLY(O_ACCMODE), SKIP_IF(O_WRONLY, 3),
      SKIP_IF(O_RDWR, 2), REFUSE, REFUSE, ALLOW);
#ifdef SYS_open
  ADD(SKIP_UNLESS(SYS_open, 8), LOAD_ARGUMENT(1), SKIP_UNLESS_ANY(O_TRUNC, 5), ONLY(O_ACCMODE), SKIP_IF(O_WRONLY, 3),
      SKIP_IF(O_RDWR, 2), REFUSE, REFUSE, ALLOW);
#endif
  /* The flags of openat2 are in memory, which a filter cannot read; programs fall back to openat. */
  ADD(SKIP_UNLESS(437 /* openat2 */, 1), UNKNOWN);

  /* Only TCP and UDP sockets are allowed. Unix sockets are rejected, because the peer may have more privileges than this process.
     MPTCP sockets are rejected, because Landlock does not treat MPTCP as TCP. */
  if (network) ADD(SKIP_UNLESS(SYS_socket, 13), LOAD_ARGUMENT(0), SKIP_IF(AF_INET, 1), SKIP_UNLESS(AF_INET6, 8), LOAD_ARGUMENT(2),
      SKIP_IF(0, 2), SKIP_IF(IPPROTO_TCP, 1), SKIP_UNLESS(IPPROTO_UDP, 4), LOAD_ARGUMENT(1), ONLY(0xF), SKIP_IF(SOCK_STREAM, 2),
      SKIP_IF(SOCK_DGRAM, 1), REFUSE, ALLOW);
  /* Reject MSG_FASTOPEN, which connects implicitly, because Landlock restricts only connect(2). */
  const unsigned short sending[][2] = {{SYS_sendto, 3}, {SYS_sendmsg, 2}, {SYS_sendmmsg, 3}};
  for (size_t i = 0; network && i < sizeof sending / sizeof *sending; i++)
    ADD(SKIP_UNLESS(sending[i][0], 4), LOAD_ARGUMENT(sending[i][1]), SKIP_UNLESS_ANY(MSG_FASTOPEN, 1), REFUSE, ALLOW);

  /* Allow only stream and sequenced-packet socket pairs, because a datagram socket could send to any address. */
  ADD(SKIP_UNLESS(SYS_socketpair, 8), LOAD_ARGUMENT(0), SKIP_UNLESS(AF_UNIX, 4), LOAD_ARGUMENT(1), ONLY(0xF),
      SKIP_IF(SOCK_STREAM, 2), SKIP_IF(SOCK_SEQPACKET, 1), REFUSE, ALLOW);
  if (!network) ADD(SKIP_UNLESS(SYS_sendto, 6), LOAD_ARGUMENT(4), SKIP_UNLESS(0, 3),
      LOAD_UPPER_ARGUMENT(4), SKIP_UNLESS(0, 1), ALLOW, REFUSE);

  /* Threads may be created, but not processes. The flags of clone3 are in memory, which a filter cannot read; the C library falls
     back to clone. */
  ADD(SKIP_UNLESS(SYS_clone3, 1), UNKNOWN);
  ADD(SKIP_UNLESS(SYS_clone, 6), LOAD_ARGUMENT(0), SKIP_UNLESS_ANY(CLONE_THREAD, 2), SKIP_UNLESS_ANY(NEW_SPACES, 2), REFUSE,
      REFUSE, ALLOW);

  /* A shared mapping must be backed by a file. */
  if (!shares_memory) ADD(SKIP_UNLESS(SYS_mmap, 7), LOAD_ARGUMENT(3), SKIP_UNLESS_ANY(MAP_ANONYMOUS, 4), ONLY(0xF),
      SKIP_IF(MAP_SHARED, 1), SKIP_UNLESS(MAP_SHARED_VALIDATE, 1), REFUSE, LOAD(nr));

  /* Executable memory must be mapped from a file, such as a library. A memfd also counts as a file here. */
  const bool writes_code = (freedoms & LINUX_MAY_WRITE_CODE) != 0;
  if (!writes_code) ADD(SKIP_UNLESS(SYS_mprotect, 4), LOAD_ARGUMENT(2), SKIP_UNLESS_ANY(PROT_EXEC, 1), REFUSE, ALLOW);
  if (!writes_code) ADD(SKIP_UNLESS(SYS_pkey_mprotect, 4), LOAD_ARGUMENT(2), SKIP_UNLESS_ANY(PROT_EXEC, 1), REFUSE, ALLOW);
  if (!writes_code) ADD(SKIP_UNLESS(SYS_mmap, 8), LOAD_ARGUMENT(2), SKIP_UNLESS_ANY(PROT_EXEC, 5), SKIP_UNLESS_ANY(PROT_WRITE, 1), REFUSE,
      LOAD_ARGUMENT(3), SKIP_UNLESS_ANY(MAP_ANONYMOUS, 1), REFUSE, ALLOW);

  /* The process must not let others trace it or change its memory map, and it must end with the process that started it. */
  ADD(SKIP_UNLESS(SYS_prctl, 6), LOAD_ARGUMENT(0), SKIP_IF(PR_SET_PTRACER, 3), SKIP_IF(PR_SET_MM, 2), SKIP_IF(PR_SET_PDEATHSIG, 1),
      ALLOW, REFUSE, ALLOW);
#undef ADD

  return install_filter(steps, count, flag);
}

bool linux_refuse_calls(uint32_t freedoms) {
  return filter_calls(freedoms, SECCOMP_RET_ERRNO | EPERM, SECCOMP_FILTER_FLAG_TSYNC) == 0;
}

int linux_watch_calls(uint32_t freedoms) {
  return (int)filter_calls(freedoms, SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

int linux_has_filters(void) {
  /* EFAULT = the kernel supports filters but could not read this one. */
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 && errno != EFAULT ? -1 : 0;
}

void linux_limit_resources(void) {
  struct rlimit limit;
  /* The limit is far more than an engine writes for the largest model. */
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_max > (rlim_t)16 << 30) {
    limit.rlim_cur = limit.rlim_max = (rlim_t)16 << 30;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_max > 4096) {
    limit.rlim_max = 4096;
    if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}
