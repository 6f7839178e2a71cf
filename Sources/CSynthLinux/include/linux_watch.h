/* Another process hears what a confined one asks of the kernel (seccomp_unotify(2)). Swift cannot import the headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What a call is about. Those up to LINUX_LINKS name files, and Landlock decides on them; the filter refuses all others. */
enum linux_deed {
  LINUX_OPENS,
  LINUX_MAKES_FOLDER,
  LINUX_MAKES_FILE,
  LINUX_MAKES_LINK,
  LINUX_REMOVES,
  LINUX_RENAMES,
  LINUX_LINKS,
  LINUX_STARTS_PROGRAM,
  LINUX_STARTS_PROCESS,
  LINUX_OPENS_SOCKET,
  LINUX_CONNECTS,
  LINUX_LISTENS,
  LINUX_SIGNALS,
  LINUX_LOOKS_INTO_PROCESS,
  LINUX_SETS_PRIORITY,
  LINUX_CHANGES_FILE,
  LINUX_READS_ATTRIBUTES,
  LINUX_LOCKS_FILE,
  LINUX_WATCHES_FILES,
  LINUX_SHARES_MEMORY,
  LINUX_RUNS_MEMORY,
  LINUX_CONTROLS_DEVICE,
  LINUX_OTHER,
};

/* A call of the watched process, which waits for an answer. */
struct linux_call {
  uint64_t id;
  pid_t thread;
  /* NULL = not known by name. */
  const char *name;
  int number;
  enum linux_deed deed;
  uint64_t arguments[6];
  /* Which arguments are paths, and the folders that they begin in; -1 = none. */
  signed char folder, path, other_folder, other_path;
};

/* A process that this one need not wait for. It returns 0 there, and -1 on failure. The calling thread must be the only one. */
pid_t linux_fork_apart(void);

/* Lets a process that is not its parent read the memory of this one. */
void linux_be_read_by(pid_t process);

/* As linux_refuse_calls(), but each refusal, and each call that names files, waits for an answer by whoever holds the descriptor.
   No copy of it may be here when foreign code begins. The calling thread must be the only one. -1 = not on this kernel. */
int linux_watch_calls(uint32_t freedoms);

/* Whether calls can be let through, which kernels before 5.5 do not offer. */
bool linux_can_let_calls_through(int watch);

/* The next call, once poll(2) says that there is one. false = its thread has ended. */
bool linux_next_call(int watch, struct linux_call *call);

/* Whether the thread still waits, so that what was read of its memory was its own. */
bool linux_call_waits(int watch, uint64_t id);

/* 0 = the kernel does what it would have done. */
void linux_answer_call(int watch, uint64_t id, int failure);

/* Reads as many bytes as are there, up to 4096. -1 = none, or it is not allowed. */
ssize_t linux_read_memory(pid_t process, uint64_t address, void *bytes, size_t count);

/* The numbers of the calls that name files, for linux_watch_calls(). */
enum { LINUX_MOST_FILE_CALLS = 24 };
size_t linux_file_calls(unsigned short numbers[LINUX_MOST_FILE_CALLS]);
