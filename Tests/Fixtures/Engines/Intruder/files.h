/* Attempts that involve files. */
#pragma once

#include "tools.h"

static int read_file(const char *path) {
  char bytes[64];
  int file = open(path, O_RDONLY | O_CLOEXEC), failure = answer("open", file);
  if (file >= 0) failure = TRY(read, file, bytes, sizeof bytes);
  return closing(failure, &file);
}

static int write_file(const char *path, int flags) {
  int file = open(path, O_WRONLY | O_CLOEXEC | flags, 0600), failure = answer("open", file);
  if (file >= 0 && !(flags & O_TRUNC)) failure = TRY(write, file, "x", 1);
  return closing(failure, &file);
}

static int create(const char *path) {
  int failure = write_file(path, O_CREAT | O_EXCL);
  if (failure == 0) unlink(path);
  return failure;
}

/* Opens a descriptor without access rights, then the file to which it refers. */
static int reopen(const char *path) {
  char link[64];
  int bare = open(path, O_PATH | O_CLOEXEC), failure = answer("open of a path", bare);
  snprintf(link, sizeof link, "/proc/self/fd/%d", bare);
  int file = bare >= 0 ? open(link, O_WRONLY | O_CLOEXEC) : -1;
  if (bare >= 0) failure = answer("open again", file);
  if (file >= 0) failure = TRY(ftruncate, file, 0);
  return closing(closing(failure, &file), &bare);
}

static int by_handle(const char *path) {
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } found = {.handle.handle_bytes = MAX_HANDLE_SZ};
  int mount, failure = TRY(name_to_handle_at, AT_FDCWD, path, &found.handle, &mount, 0);
  if (failure != 0 && failure != EOPNOTSUPP) return failure;
  int at = open("/", O_PATH | O_CLOEXEC);
  return closing(OPENS(open_by_handle_at, AT_FDCWD, &found.handle, O_RDONLY), &at);
}

static int by_symbolic_link(const char *path) {
  const char *link = cached("link");
  unlink(link);
  int failure = TRY(symlink, path, link);
  if (failure == 0) failure = read_file(link);
  unlink(link);
  return failure;
}

static int by_hard_link(const char *path) {
  int failure = TRY(link, path, cached("hard"));
  if (failure == 0) unlink(cached("hard"));
  return failure;
}

static int move_away(const char *path) {
  int failure = TRY(rename, path, cached("moved"));
  if (failure == 0) rename(cached("moved"), path);
  return failure;
}

static int exchange(const char *path) {
  const char *own = cached("own");
  int failure = write_file(own, O_CREAT);
  if (failure == 0) failure = KERNEL(renameat2, AT_FDCWD, path, AT_FDCWD, own, 2 /* RENAME_EXCHANGE */);
  if (failure == 0) syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, own, 2);
  unlink(own);
  return failure;
}

/* Modifies a file through a read-only descriptor. */
static int by_descriptor(const char *path, char kind) {
  char room[64];
  int file = open(path, O_RDONLY | O_CLOEXEC), failure = answer("open", file);
  if (file < 0) return failure;
  switch (kind) {
    case 'm': failure = TRY(fchmod, file, 0666); break;
    case 'o': failure = TRY(fchown, file, getuid(), getgid()); break;
    case 't': failure = TRY(futimens, file, NULL); break;
    case 'x': failure = TRY(fsetxattr, file, "user.intruder", "x", 1, 0); break;
    case 'g': failure = TRY(fgetxattr, file, "user.xdg.origin.url", room, sizeof room); break;
    case 'G': failure = TRY(flistxattr, file, room, sizeof room); break;
    case 's': failure = TRY(syncfs, file); break;
    case 'f': failure = TRY(ioctl, file, 0x40086602ul /* FS_IOC_SETFLAGS */, NULL); break;
    case 'F': failure = TRY(ioctl, file, 0x401c5820ul /* FS_IOC_FSSETXATTR */, NULL); break;
    case 'l': failure = TRY(flock, file, LOCK_EX | LOCK_NB); break;
    case 'L': failure = TRY(fcntl, file, F_SETLEASE, F_RDLCK); break;
    case 'n': failure = TRY(fcntl, file, F_NOTIFY, DN_ACCESS); break;
  }
  return closing(failure, &file);
}

static int make_node(mode_t mode, dev_t device) {
  unlink(cached("node"));
  int failure = TRY(mknod, cached("node"), mode, device);
  if (failure == 0) unlink(cached("node"));
  return failure;
}

static int watch(const char *path) {
  int queue = inotify_init1(IN_CLOEXEC), failure = answer("inotify_init1", queue);
  if (queue >= 0) failure = TRY(inotify_add_watch, queue, path, IN_OPEN);
  return closing(failure, &queue);
}

static int open_strictly(const char *path) {
  struct open_how how = {.flags = O_RDONLY | O_CLOEXEC};
  return KERNEL_OPENS(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static int attempt_on_files(const char *name, const char *target) {
  const struct timeval times[2] = {{1, 0}, {1, 0}};
  IF("read-file", read_file(target));
  IF("write-file", write_file(target, 0));
  IF("append", write_file(target, O_APPEND));
  IF("empty-file", write_file(target, O_TRUNC));
  IF("empty-by-reading", OPENS(open, target, O_RDONLY | O_TRUNC | O_CLOEXEC));
  IF("create-file", create(target));
  IF("truncate", TRY(truncate, target, 1));
  IF("reopen", reopen(target));
  IF("list-folder", OPENS(open, target, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  IF("remove-file", TRY(unlink, target));
  IF("rename-file", move_away(target));
  IF("exchange", exchange(target));
  IF("link", by_hard_link(target));
  IF("symbolic-link", by_symbolic_link(target));
  IF("mkdir", TRY(mkdir, target, 0700));
  IF("rmdir", TRY(rmdir, target));
  IF("fifo", make_node(S_IFIFO | 0600, 0));
  IF("socket-file", make_node(S_IFSOCK | 0600, 0));
  IF("device-file", make_node(S_IFCHR | 0600, makedev(1, 3)));
  IF("chmod", TRY(chmod, target, 0666));
  IF("fchmodat2", NEW_KERNEL(fchmodat2, AT_FDCWD, target, 0666, 0));
  IF("fchmod", by_descriptor(target, 'm'));
  IF("chown", TRY(chown, target, getuid(), getgid()));
  IF("lchown", TRY(lchown, target, getuid(), getgid()));
  IF("fchown", by_descriptor(target, 'o'));
  IF("utimes", TRY(utimes, target, times));
  IF("utimensat", TRY(utimensat, AT_FDCWD, target, NULL, 0));
  IF("futimens", by_descriptor(target, 't'));
  IF("setxattr", TRY(setxattr, target, "user.intruder", "x", 1, 0));
  IF("setxattrat", NEW_KERNEL(setxattrat, AT_FDCWD, target, 0, "user.intruder", NULL, 0));
  IF("removexattr", TRY(removexattr, target, "user.intruder"));
  IF("fsetxattr", by_descriptor(target, 'x'));
  IF("getxattr", TRY(getxattr, target, "user.xdg.origin.url", NULL, 0));
  IF("lgetxattr", TRY(lgetxattr, target, "user.xdg.origin.url", NULL, 0));
  IF("fgetxattr", by_descriptor(target, 'g'));
  IF("listxattr", TRY(listxattr, target, NULL, 0));
  IF("llistxattr", TRY(llistxattr, target, NULL, 0));
  IF("flistxattr", by_descriptor(target, 'G'));
  IF("getxattrat", NEW_KERNEL(getxattrat, AT_FDCWD, target, 0, "user.xdg.origin.url", NULL, 0));
  IF("listxattrat", NEW_KERNEL(listxattrat, AT_FDCWD, target, 0, NULL, 0));
  IF("file-getattr", NEW_KERNEL(file_getattr, AT_FDCWD, target, NULL, 0, 0));
  IF("syncfs", by_descriptor(target, 's'));
  IF("set-flags", by_descriptor(target, 'f'));
  IF("set-attributes", by_descriptor(target, 'F'));
  IF("lock", by_descriptor(target, 'l'));
  IF("lease", by_descriptor(target, 'L'));
  IF("notify", by_descriptor(target, 'n'));
  IF("read-by-root", read_file(joined("/proc/self/root", target)));
  IF("read-by-cwd", read_file(joined("/proc/self/cwd", target)));
  IF("read-by-thread", read_file(joined("/proc/thread-self/root", target)));
  IF("read-by-foreign-root", read_file(in_proc(target, "root")));
  IF("read-environment", read_file(in_proc(target, "environ")));
  IF("read-memory", OPENS(open, in_proc(target, "mem"), O_RDONLY));
  IF("read-descriptor", OPENS(open, in_proc(target, "fd/0"), O_RDONLY));
  IF("read-by-handle", by_handle(target));
  IF("unnamed-file", OPENS(open, target, O_TMPFILE | O_RDWR, 0600));
  IF("openat2", open_strictly(target));
  IF("watch", watch(target));
  IF("fanotify", OPENS(fanotify_init, FAN_CLASS_NOTIF | FAN_REPORT_FID, 0));
  IF("mount", TRY(mount, NOWHERE, NOWHERE, "none", 0, NULL));
  IF("umount", TRY(umount2, NOWHERE, 0));
  IF("open-tree", KERNEL_OPENS(CALL_open_tree, AT_FDCWD, target, 1 /* OPEN_TREE_CLONE */));
  IF("fsopen", KERNEL_OPENS(CALL_fsopen, "tmpfs", 0));
  IF("mount-setattr", NEW_KERNEL(mount_setattr, AT_FDCWD, NOWHERE, 0, NULL, 0));
  IF("chroot", TRY(chroot, NOWHERE));
  IF("pivot-root", KERNEL(pivot_root, NOWHERE, NOWHERE));
  return -1;
}
