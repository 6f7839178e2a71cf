#define _GNU_SOURCE
#include "linux_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SECCOMP_USER_NOTIF_FLAG_CONTINUE
#define SECCOMP_USER_NOTIF_FLAG_CONTINUE 1
#endif

struct kind {
  unsigned short number;
  const char *name;
  enum linux_call_kind deed;
  signed char folder, path, other_folder, other_path;
};

#define NEW(number, name, deed) {number, name, deed, -1, -1, -1, -1}
#define CALL(name, deed) NEW(SYS_##name, #name, deed)
#define PATH(name, deed, path) {SYS_##name, #name, deed, -1, path, -1, -1}
#define PATHS(name, deed, path, other) {SYS_##name, #name, deed, -1, path, -1, other}
#define IN_FOLDER(name, deed, folder, path) {SYS_##name, #name, deed, folder, path, -1, -1}

/* Calls that are not listed are identified only by their numbers. */
static const struct kind kinds[] = {
    IN_FOLDER(openat, LINUX_OPENS, 0, 1), IN_FOLDER(mkdirat, LINUX_MAKES_FOLDER, 0, 1),
    IN_FOLDER(mknodat, LINUX_MAKES_FILE, 0, 1), IN_FOLDER(symlinkat, LINUX_MAKES_LINK, 1, 2),
    IN_FOLDER(unlinkat, LINUX_REMOVES, 0, 1), {SYS_renameat2, "renameat2", LINUX_RENAMES, 0, 1, 2, 3},
    {SYS_linkat, "linkat", LINUX_LINKS, 0, 1, 2, 3},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", LINUX_RENAMES, 0, 1, 2, 3},
#endif
#ifdef __x86_64__
    PATH(open, LINUX_OPENS, 0), PATH(creat, LINUX_OPENS, 0), PATH(mkdir, LINUX_MAKES_FOLDER, 0),
    PATH(mknod, LINUX_MAKES_FILE, 0), PATH(symlink, LINUX_MAKES_LINK, 1), PATH(unlink, LINUX_REMOVES, 0),
    PATH(rmdir, LINUX_REMOVES, 0), PATHS(rename, LINUX_RENAMES, 0, 1), PATHS(link, LINUX_LINKS, 0, 1),
    CALL(fork, LINUX_STARTS_PROCESS), CALL(vfork, LINUX_STARTS_PROCESS), PATH(chmod, LINUX_CHANGES_FILE, 0),
    PATH(chown, LINUX_CHANGES_FILE, 0), PATH(lchown, LINUX_CHANGES_FILE, 0), PATH(utime, LINUX_CHANGES_FILE, 0),
    PATH(utimes, LINUX_CHANGES_FILE, 0), IN_FOLDER(futimesat, LINUX_CHANGES_FILE, 0, 1),
    CALL(inotify_init, LINUX_WATCHES_FILES), CALL(iopl, LINUX_OTHER), CALL(ioperm, LINUX_OTHER), CALL(modify_ldt, LINUX_OTHER),
#endif

    PATH(execve, LINUX_STARTS_PROGRAM, 0), IN_FOLDER(execveat, LINUX_STARTS_PROGRAM, 0, 1),
    CALL(clone, LINUX_STARTS_PROCESS), CALL(setsid, LINUX_OTHER), CALL(setpgid, LINUX_OTHER), CALL(unshare, LINUX_OTHER),
    CALL(setns, LINUX_OTHER),

    CALL(socket, LINUX_OPENS_SOCKET), CALL(socketpair, LINUX_OPENS_SOCKET), CALL(connect, LINUX_CONNECTS),
    CALL(sendto, LINUX_CONNECTS), CALL(bind, LINUX_LISTENS), CALL(listen, LINUX_LISTENS), CALL(accept, LINUX_LISTENS),
    CALL(accept4, LINUX_LISTENS), CALL(sendmsg, LINUX_OTHER), CALL(sendmmsg, LINUX_OTHER),

    CALL(kill, LINUX_SIGNALS), CALL(tkill, LINUX_SIGNALS), CALL(tgkill, LINUX_SIGNALS), CALL(rt_sigqueueinfo, LINUX_SIGNALS),
    CALL(rt_tgsigqueueinfo, LINUX_SIGNALS), NEW(424, "pidfd_send_signal", LINUX_SIGNALS),

    CALL(ptrace, LINUX_LOOKS_INTO_PROCESS), CALL(process_vm_readv, LINUX_LOOKS_INTO_PROCESS),
    CALL(process_vm_writev, LINUX_LOOKS_INTO_PROCESS), NEW(440, "process_madvise", LINUX_LOOKS_INTO_PROCESS),
    NEW(448, "process_mrelease", LINUX_LOOKS_INTO_PROCESS), CALL(kcmp, LINUX_LOOKS_INTO_PROCESS),
    NEW(434, "pidfd_open", LINUX_LOOKS_INTO_PROCESS), NEW(438, "pidfd_getfd", LINUX_LOOKS_INTO_PROCESS),
    CALL(move_pages, LINUX_LOOKS_INTO_PROCESS), CALL(migrate_pages, LINUX_LOOKS_INTO_PROCESS),

    CALL(ioprio_set, LINUX_SETS_PRIORITY), CALL(sched_setscheduler, LINUX_SETS_PRIORITY),
    CALL(sched_setparam, LINUX_SETS_PRIORITY), CALL(sched_setattr, LINUX_SETS_PRIORITY), CALL(prlimit64, LINUX_SETS_PRIORITY),
    CALL(setrlimit, LINUX_SETS_PRIORITY),
    CALL(sched_setaffinity, LINUX_SETS_PRIORITY), CALL(setpriority, LINUX_SETS_PRIORITY),

    CALL(fchmod, LINUX_CHANGES_FILE), IN_FOLDER(fchmodat, LINUX_CHANGES_FILE, 0, 1),
    {452, "fchmodat2", LINUX_CHANGES_FILE, 0, 1, -1, -1}, CALL(fchown, LINUX_CHANGES_FILE),
    IN_FOLDER(fchownat, LINUX_CHANGES_FILE, 0, 1), IN_FOLDER(utimensat, LINUX_CHANGES_FILE, 0, 1),
    PATH(setxattr, LINUX_CHANGES_FILE, 0), PATH(lsetxattr, LINUX_CHANGES_FILE, 0), CALL(fsetxattr, LINUX_CHANGES_FILE),
    PATH(removexattr, LINUX_CHANGES_FILE, 0), PATH(lremovexattr, LINUX_CHANGES_FILE, 0), CALL(fremovexattr, LINUX_CHANGES_FILE),
    {463, "setxattrat", LINUX_CHANGES_FILE, 0, 1, -1, -1}, {466, "removexattrat", LINUX_CHANGES_FILE, 0, 1, -1, -1},
    {469, "file_setattr", LINUX_CHANGES_FILE, 0, 1, -1, -1}, PATH(truncate, LINUX_CHANGES_FILE, 0),
    PATH(getxattr, LINUX_READS_ATTRIBUTES, 0), PATH(lgetxattr, LINUX_READS_ATTRIBUTES, 0), CALL(fgetxattr, LINUX_READS_ATTRIBUTES),
    PATH(listxattr, LINUX_READS_ATTRIBUTES, 0), PATH(llistxattr, LINUX_READS_ATTRIBUTES, 0),
    CALL(flistxattr, LINUX_READS_ATTRIBUTES), {464, "getxattrat", LINUX_READS_ATTRIBUTES, 0, 1, -1, -1},
    {465, "listxattrat", LINUX_READS_ATTRIBUTES, 0, 1, -1, -1}, {468, "file_getattr", LINUX_READS_ATTRIBUTES, 0, 1, -1, -1},
    CALL(flock, LINUX_LOCKS_FILE), CALL(fcntl, LINUX_WATCHES_FILES), CALL(inotify_init1, LINUX_WATCHES_FILES),
    PATH(inotify_add_watch, LINUX_WATCHES_FILES, 1), CALL(fanotify_init, LINUX_WATCHES_FILES),
    CALL(fanotify_mark, LINUX_WATCHES_FILES), IN_FOLDER(name_to_handle_at, LINUX_OTHER, 0, 1),
    CALL(open_by_handle_at, LINUX_OTHER),

    CALL(shmget, LINUX_SHARES_MEMORY), CALL(shmat, LINUX_SHARES_MEMORY), CALL(shmctl, LINUX_SHARES_MEMORY),
    CALL(msgget, LINUX_SHARES_MEMORY), CALL(msgsnd, LINUX_SHARES_MEMORY), CALL(msgrcv, LINUX_SHARES_MEMORY),
    CALL(msgctl, LINUX_SHARES_MEMORY), CALL(semget, LINUX_SHARES_MEMORY), CALL(semop, LINUX_SHARES_MEMORY),
    CALL(semtimedop, LINUX_SHARES_MEMORY), CALL(semctl, LINUX_SHARES_MEMORY), PATH(mq_open, LINUX_SHARES_MEMORY, 0),
    PATH(mq_unlink, LINUX_SHARES_MEMORY, 0), CALL(memfd_create, LINUX_SHARES_MEMORY),
    NEW(447, "memfd_secret", LINUX_SHARES_MEMORY),

    CALL(mmap, LINUX_RUNS_MEMORY), CALL(mprotect, LINUX_RUNS_MEMORY), CALL(pkey_mprotect, LINUX_RUNS_MEMORY),
    CALL(ioctl, LINUX_CONTROLS_DEVICE),

    CALL(bpf, LINUX_OTHER), CALL(perf_event_open, LINUX_OTHER), CALL(userfaultfd, LINUX_OTHER),
    NEW(425, "io_uring_setup", LINUX_OTHER), NEW(426, "io_uring_enter", LINUX_OTHER), NEW(427, "io_uring_register", LINUX_OTHER),
    CALL(add_key, LINUX_OTHER), CALL(request_key, LINUX_OTHER), CALL(keyctl, LINUX_OTHER), CALL(vmsplice, LINUX_OTHER),
    CALL(sync, LINUX_OTHER), CALL(syncfs, LINUX_OTHER), CALL(prctl, LINUX_OTHER), CALL(mount, LINUX_OTHER), CALL(umount2, LINUX_OTHER), CALL(chroot, LINUX_OTHER),
    CALL(pivot_root, LINUX_OTHER), CALL(reboot, LINUX_OTHER), CALL(quotactl, LINUX_OTHER), CALL(syslog, LINUX_OTHER),
    CALL(settimeofday, LINUX_OTHER), CALL(clock_settime, LINUX_OTHER), CALL(adjtimex, LINUX_OTHER),
    CALL(clock_adjtime, LINUX_OTHER), CALL(sethostname, LINUX_OTHER), CALL(setuid, LINUX_OTHER), CALL(setgid, LINUX_OTHER),
    CALL(setreuid, LINUX_OTHER), CALL(setregid, LINUX_OTHER), CALL(setresuid, LINUX_OTHER), CALL(setresgid, LINUX_OTHER),
    CALL(setfsuid, LINUX_OTHER), CALL(setfsgid, LINUX_OTHER), CALL(setgroups, LINUX_OTHER), CALL(capset, LINUX_OTHER),
    CALL(personality, LINUX_OTHER),
};

size_t linux_file_calls(unsigned short numbers[LINUX_MOST_FILE_CALLS]) {
  size_t count = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && count < LINUX_MOST_FILE_CALLS; i++)
    if (kinds[i].deed <= LINUX_LINKS) numbers[count++] = kinds[i].number;
  return count;
}

pid_t linux_fork_apart(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  pid_t apart = -1, between = fork();
  if (between == 0) {
    apart = fork();
    if (apart != 0) {
      ssize_t written = write(ends[1], &apart, sizeof apart);
      _exit(written == sizeof apart ? 0 : 1);
    }
  } else if (between > 0) {
    close(ends[1]);
    ends[1] = -1;
    if (read(ends[0], &apart, sizeof apart) != sizeof apart) apart = -1;
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  return apart;
}

/* Needed only if Yama restricts tracing. Without Yama, the option is unknown, and reading is allowed. */
void linux_be_read_by(pid_t process) { prctl(PR_SET_PTRACER, process, 0, 0, 0); }

bool linux_can_let_calls_through(int watch) {
  struct seccomp_notif_resp answer = {.id = 0, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  /* ENOENT = the kernel supports the flag, but there is no such call. */
  return ioctl(watch, SECCOMP_IOCTL_NOTIF_SEND, &answer) == 0 || errno == ENOENT;
}

bool linux_next_call(int watch, struct linux_call *call) {
  /* Newer kernels may return more data. */
  union {
    struct seccomp_notif call;
    char room[512];
  } told;
  memset(&told, 0, sizeof told);
  struct seccomp_notif_sizes sizes;
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0 || sizes.seccomp_notif > sizeof told) return false;
  int result;
  do {
    result = ioctl(watch, SECCOMP_IOCTL_NOTIF_RECV, &told);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return false;
  const struct seccomp_data *data = &told.call.data;
  *call = (struct linux_call){
      .id = told.call.id, .thread = (pid_t)told.call.pid, .number = data->nr, .deed = LINUX_OTHER, .folder = -1, .path = -1,
      .other_folder = -1, .other_path = -1};
  for (size_t i = 0; i < 6; i++) call->arguments[i] = data->args[i];
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const struct kind *kind = &kinds[i];
    if (kind->number != data->nr) continue;
    call->name = kind->name;
    call->deed = kind->deed;
    call->folder = kind->folder;
    call->path = kind->path;
    call->other_folder = kind->other_folder;
    call->other_path = kind->other_path;
    break;
  }
  return true;
}

bool linux_call_waits(int watch, uint64_t id) { return ioctl(watch, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0; }

void linux_answer_call(int watch, uint64_t id, int failure) {
  struct seccomp_notif_resp answer = {
      .id = id, .error = -failure, .flags = failure == 0 ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0};
  int result;
  do {
    result = ioctl(watch, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  } while (result != 0 && errno == EINTR);
}

ssize_t linux_read_memory(pid_t process, uint64_t address, void *bytes, size_t count) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), to_border = page - address % page;
  if (count > 4096) count = 4096;
  const size_t first = count < to_border ? count : to_border;
  /* Split the range at the page boundary: the kernel reads each iovec completely or not at all. */
  struct iovec here = {bytes, count};
  struct iovec there[2] = {{(void *)(uintptr_t)address, first}, {(void *)(uintptr_t)(address + first), count - first}};
  return process_vm_readv(process, &here, 1, there, first < count ? 2 : 1, 0);
}
