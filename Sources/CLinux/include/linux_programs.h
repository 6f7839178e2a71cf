/* Starting programs, and giving that up. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Starts a program as a child of this process's parent, in a process group of its own, with default signals of which none is
   blocked. Of the descriptors that close when a program is started, it has sources[i] as numbers[i]; all sources are above all
   numbers. For a process with one thread.
   The process id; *failure is an errno if the child was made and ended without the program. -1 and errno if it was not made. */
pid_t linux_start_beside(const char *program, char *const arguments[], char *const variables[], const char *folder,
                         const int *sources, const int *numbers, int count, bool ignores_broken_pipes, int *failure);

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
