/* Starts programs, and gives up the ability to do so. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The process group of a program. LINUX_OWN_SESSION: the program leads a new session, and the first terminal among its
   descriptors becomes its controlling terminal. */
enum linux_group { LINUX_PARENTS_GROUP, LINUX_OWN_GROUP, LINUX_OWN_SESSION };

/* A program to start. */
struct linux_program {
  const char *path;
  char *const *arguments, *const *variables;
  /* The working directory; NULL = inherited from this process. */
  const char *folder;
  /* The program gets the descriptor sources[i] with the number numbers[i]. Each source must be higher than all numbers,
     and have close-on-exec set. The program also inherits 0, 1 and 2, except those whose bit is set in `closed`, but no
     other descriptors. */
  const int *sources, *numbers;
  int count;
  unsigned closed;
  enum linux_group group;
  bool ignores_broken_pipes;
  /* This process's parent, to make it the program's parent too; 0 = this process becomes the program's parent. */
  pid_t parent;
};

/* Starts a program with default signal actions and no blocked signals. The kernel kills it (PR_SET_PDEATHSIG) when the thread that
   started it ends or, if `parent` is set, the thread that started this process. All programs must therefore be started by one thread
   that lives as long as the process.
   Returns the process id. *failure is 0, or an errno if the child exited before it ran the program. Returns -1 and sets errno if no
   child was created. */
pid_t linux_start_program(const struct linux_program *program, int *failure);

/* Abilities that a process can give up, as bits. */
enum linux_ability {
  LINUX_PROGRAMS = 1 << 0, /* running another program, or making another process run one */
  LINUX_SOCKETS = 1 << 1,  /* opening sockets other than socket pairs */
  LINUX_GROUPS = 1 << 2    /* leaving the process group */
};

/* Gives up abilities for all threads of this process and everything that it starts. Returns false if this kernel does not support
   filters. */
bool linux_give_up(uint32_t gifts);

/* Sets the name of this single-threaded process for ps, pkill and killall, truncated to 15 bytes. */
void linux_name_process(const char *name);

/* Prevents the user's other processes from tracing this process and from inspecting its memory, environment and descriptors.
   Does nothing in a sanitizer build, which inspects itself in this way. */
void linux_keep_private(void);
