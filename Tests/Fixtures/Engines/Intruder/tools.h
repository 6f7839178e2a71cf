/* Helper functions for the attempts. */
#pragma once

#include "synth_engine.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_alg.h>
#include <linux/openat2.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NEWER_CALL(name, number) enum { CALL_##name = number }
NEWER_CALL(open_tree, 428);
NEWER_CALL(fsopen, 430);
NEWER_CALL(pidfd_getfd, 438);
NEWER_CALL(process_madvise, 440);
NEWER_CALL(mount_setattr, 442);
NEWER_CALL(process_mrelease, 448);
NEWER_CALL(fchmodat2, 452);
NEWER_CALL(setxattrat, 463);
NEWER_CALL(getxattrat, 464);
NEWER_CALL(listxattrat, 465);
NEWER_CALL(file_getattr, 468);
NEWER_CALL(memfd_secret, 447);
enum { PEER_PIDFD = 77, TCP_MULTIPATH = 262, LEFT_HALF = 32 };
#define NOWHERE "/nowhere/at/all"

static const synth_host *host;
static char cache[4096];
static bool was_inherited;
/* The system call that failed in the attempt. */
static __thread const char *call = "";

static int answer(const char *name, long result) {
  call = name;
  return result < 0 ? errno : 0;
}
#define TRY(function, ...) answer(#function, (long)function(__VA_ARGS__))
#define KERNEL(name, ...) answer(#name, syscall(SYS_##name, __VA_ARGS__))
#define NEW_KERNEL(name, ...) answer(#name, syscall(CALL_##name, __VA_ARGS__))

/* Closes an attempt's descriptor, if there is one, and returns the failure. */
static int closing(int failure, int *file) {
  if (*file >= 0) close(*file);
  *file = -1;
  return failure;
}
#define OPENS(function, ...) descriptor(#function, (long)function(__VA_ARGS__))
#define KERNEL_OPENS(number, ...) descriptor(#number, syscall(number, __VA_ARGS__))

static int descriptor(const char *name, long file) {
  int result = answer(name, file), number = (int)file;
  return closing(result, &number);
}

/* A path in the cache. Up to two results are valid at a time. */
static const char *cached(const char *name) {
  static __thread char paths[2][4200];
  static __thread unsigned next;
  char *path = paths[next++ % 2];
  snprintf(path, sizeof paths[0], "%s/%s", cache, name);
  return path;
}

static const char *joined(const char *before, const char *after) {
  static __thread char path[4200];
  snprintf(path, sizeof path, "%s%s", before, after);
  return path;
}

/* The pid in "4242 /a/path", or the host's pid. */
static pid_t process_of(const char *target) { return *target ? (pid_t)strtol(target, NULL, 10) : getppid(); }
static const char *path_of(const char *target) { return target + strspn(target, "0123456789 "); }

static const char *in_proc(const char *target, const char *name) {
  static __thread char path[4200];
  snprintf(path, sizeof path, "/proc/%d/%s%s", process_of(target), name, path_of(target));
  return path;
}

#define IF(text, expression) if (strcmp(name, text) == 0) return expression
#define PROCESS process_of(target)
