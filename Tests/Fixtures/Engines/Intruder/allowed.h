/* Operations that engines may perform. */
#pragma once

#include "files.h"
#include "kernel.h"

#define FIRST(failure, attempt) if (((failure) = (attempt)) != 0) return failure

static int cut(const char *path) {
  int file = open(path, O_WRONLY | O_CLOEXEC), failure = answer("open", file);
  if (file >= 0) failure = TRY(ftruncate, file, 1);
  return closing(failure, &file);
}

static int use_cache(void) {
  int failure;
  const char *file = cached("file"), *other = cached("other");
  FIRST(failure, write_file(file, O_CREAT | O_EXCL));
  FIRST(failure, write_file(file, O_APPEND));
  FIRST(failure, cut(file));
  FIRST(failure, write_file(file, O_TRUNC));
  FIRST(failure, read_file(file));
  FIRST(failure, TRY(rename, file, other));
  FIRST(failure, TRY(unlink, other));
  FIRST(failure, TRY(mkdir, cached("folder"), 0700));
  FIRST(failure, write_file(cached("folder/file"), O_CREAT | O_EXCL));
  FIRST(failure, OPENS(open, cached("folder"), O_RDONLY | O_DIRECTORY));
  FIRST(failure, TRY(unlink, cached("folder/file")));
  return TRY(rmdir, cached("folder"));
}

static int move_in_cache(void) {
  int failure;
  FIRST(failure, write_file(cached("file"), O_CREAT));
  FIRST(failure, TRY(mkdir, cached("folder"), 0700));
  failure = TRY(rename, cached("file"), cached("folder/file"));
  unlink(cached("file")), unlink(cached("folder/file")), rmdir(cached("folder"));
  return failure;
}

static int use_system(void) {
  int failure, ends[2];
  char bytes[16];
  struct timespec time = {0, 1000};
  struct rlimit limit;
  cpu_set_t set;
  FIRST(failure, TRY(clock_gettime, CLOCK_MONOTONIC, &time));
  time = (struct timespec){0, 1000};
  FIRST(failure, TRY(clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL));
  FIRST(failure, TRY(getrandom, bytes, sizeof bytes, 0));
  FIRST(failure, TRY(kill, getpid(), 0));
  FIRST(failure, KERNEL(tgkill, getpid(), gettid(), 0));
  FIRST(failure, TRY(prlimit, 0, RLIMIT_NOFILE, NULL, &limit));
  FIRST(failure, TRY(sched_getaffinity, 0, sizeof set, &set));
  FIRST(failure, TRY(sched_setaffinity, 0, sizeof set, &set));
  FIRST(failure, TRY(setpriority, PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0)));
  FIRST(failure, OPENS(eventfd, 0, EFD_CLOEXEC));
  FIRST(failure, OPENS(epoll_create1, EPOLL_CLOEXEC));
  FIRST(failure, TRY(pipe, ends));
  close(ends[0]), close(ends[1]);
  FIRST(failure, TRY(getppid));
  return map(PROT_READ, MAP_ANONYMOUS, -1, true);
}

static void *count_up(void *count) {
  pthread_setname_np(pthread_self(), "counter");
  __atomic_add_fetch((int *)count, 1, __ATOMIC_RELAXED);
  return NULL;
}

static int start_threads(void) {
  pthread_t threads[8];
  int count = 0, failure = 0;
  call = "pthread_create";
  for (int i = 0; i < 8; i++)
    if ((failure = pthread_create(&threads[i], NULL, count_up, &count)) != 0) return failure;
  for (int i = 0; i < 8; i++) pthread_join(threads[i], NULL);
  return count == 8 ? 0 : ECANCELED;
}

static int open_library(const char *name) {
  errno = ENOENT;
  void *library = dlopen(name, RTLD_NOW);
  return answer("dlopen", library ? 0 : -1);
}
