/* Starts programs, and gives up the ability to do so. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process group of a program. LINUX_OWN_SESSION: it leads a new session, and the first terminal among its descriptors becomes
   its controlling terminal. */
enum linux_group { LINUX_PARENTS_GROUP, LINUX_OWN_GROUP, LINUX_OWN_SESSION };

/* A program to start. */
struct linux_program {
  const char *path;
  char *const *arguments, *const *variables;
  /* Its working directory; NULL = inherited from this process. */
  const char *folder;
  /* It has sources[i] open as numbers[i]. All sources must be above all numbers and have close-on-exec set. It also
     inherits 0, 1 and 2, except those whose bit is set in `closed`, and no other descriptors. */
  const int *sources, *numbers;
  int count;
  unsigned closed;
  enum linux_group group;
  bool ignores_broken_pipes;
  /* The parent of this process, which also becomes the program's parent; 0 = this process becomes its parent. */
  pid_t parent;
};

/* Starts a program with default signal actions and no blocked signals. The kernel kills it (PR_SET_PDEATHSIG) when the thread of its
   parent that started it ends; with `parent`, the thread that started this process. The caller must be the only thread of the process
   that starts programs, so that this never happens before the process itself ends.
   Returns the process id; *failure is an errno if the child was created but ended before it ran the program. -1 and errno if it was
   not created. */
pid_t linux_start_program(const struct linux_program *program, int *failure);

/* Abilities that a process can give up. Bits. */
enum linux_ability {
  LINUX_PROGRAMS = 1 << 0, /* running another program, or making another process run one */
  LINUX_SOCKETS = 1 << 1,  /* opening sockets, except pairs */
  LINUX_GROUPS = 1 << 2    /* leaving the process group */
};

/* Gives up abilities for all threads of this process and everything that it starts. Returns false if this kernel has no filters. */
bool linux_give_up(uint32_t gifts);

/* Sets the name of this single-threaded process for ps, pkill and killall; truncated to 15 bytes. */
void linux_name_process(const char *name);

/* Prevents other processes of this user from inspecting this one's memory, environment and descriptors, and from tracing it. Does
   nothing in a program that is built with a sanitizer, which inspects itself in this way. */
void linux_keep_private(void);
