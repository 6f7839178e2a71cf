/* Starting programs, and giving that up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process group of a program. LINUX_OWN_SESSION: it leads a session, and the first terminal that it has open becomes its
   controlling terminal. */
enum linux_group { LINUX_PARENTS_GROUP, LINUX_OWN_GROUP, LINUX_OWN_SESSION };

/* A program to start. */
struct linux_program {
  const char *path;
  char *const *arguments, *const *variables;
  /* Its working directory; NULL = this process's. */
  const char *folder;
  /* It has sources[i] open as numbers[i]. All sources are above all numbers, and closed when a program is started. It inherits no
     other descriptor but 0, 1 and 2, and of these none whose bit is in `closed`. */
  const int *sources, *numbers;
  int count;
  unsigned closed;
  enum linux_group group;
  bool ignores_broken_pipes;
  /* It becomes a child of this process, the parent of this one; 0 = a child of this one. */
  pid_t parent;
};

/* Starts a program with default signals of which none is blocked. The kernel kills it (PR_SET_PDEATHSIG) when the thread of its parent
   that started it ends; with `parent`, the thread that started this process. The caller is the one thread of the process that starts
   programs, so that neither happens before the process itself ends.
   The process id; *failure is an errno if the child was made and ended without the program. -1 and errno if it was not made. */
pid_t linux_start_program(const struct linux_program *program, int *failure);

/* What a process can do without. Bits. */
enum linux_gift {
  LINUX_PROGRAMS = 1 << 0, /* becoming another program, and having another process become one */
  LINUX_SOCKETS = 1 << 1,  /* new ones, but for pairs */
  LINUX_GROUPS = 1 << 2    /* leaving the process group */
};

/* From now on no thread of this process, nor what it starts, does that. false = this kernel has no filters. */
bool linux_give_up(uint32_t gifts);

/* What ps, pkill and killall call this process, which has one thread; cut at 15 bytes. */
void linux_name_process(const char *name);

/* From now on no other process of this user may look into this one's memory, environment and descriptors, or trace it. Not for a program
   that is built with a sanitizer, which looks into itself like that. */
void linux_keep_private(void);
