/* Lets another process observe the system calls of a confined one (seccomp_unotify(2)). Swift cannot import the headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The kind of a call. Calls up to LINUX_LINKS name files and are decided by Landlock; the filter refuses all others. */
enum linux_call_kind {
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

/* A call of the watched process, which is waiting for an answer. */
struct linux_call {
  uint64_t id;
  pid_t thread;
  /* NULL if the name is unknown. */
  const char *name;
  int number;
  enum linux_call_kind deed;
  uint64_t arguments[6];
  /* The indices of arguments that are paths, and of the folders that they are relative to; -1 = none. */
  signed char folder, path, other_folder, other_path;
};

/* Creates a process that this one need not wait for. Returns 0 in it, and -1 on failure. The calling thread must be the only one. */
pid_t linux_fork_apart(void);

/* Lets a process that is not the parent of this one read its memory. */
void linux_be_read_by(pid_t process);

/* As linux_refuse_calls(), but each refusal, and each call that names files, waits for an answer from the holder of the descriptor.
   This process must not keep a copy of the descriptor when untrusted code begins. The calling thread must be the only one. Returns -1
   if this kernel does not support it. */
int linux_watch_calls(uint32_t freedoms);

/* Whether calls can be allowed to continue, which requires Linux 5.5. */
bool linux_can_let_calls_through(int watch);

/* Reads the next call, once poll(2) reports one. Returns false if its thread has ended. */
bool linux_next_call(int watch, struct linux_call *call);

/* Whether the thread is still waiting, so that the memory that was read belonged to it. */
bool linux_call_waits(int watch, uint64_t id);

/* Answers a call. With a failure of 0, the kernel proceeds as usual. */
void linux_answer_call(int watch, uint64_t id, int failure);

/* Reads the available bytes, up to 4096. Returns -1 if there are none, or reading is not allowed. */
ssize_t linux_read_memory(pid_t process, uint64_t address, void *bytes, size_t count);

/* The numbers of calls that name files, for linux_watch_calls(). */
enum { LINUX_MOST_FILE_CALLS = 24 };
size_t linux_file_calls(unsigned short numbers[LINUX_MOST_FILE_CALLS]);
