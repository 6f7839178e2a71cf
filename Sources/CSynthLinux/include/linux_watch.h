/* Lets another process observe the system calls of a confined process (seccomp_unotify(2)). Swift cannot import the headers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The type of a system call. Types up to LINUX_LINKS take file names and are restricted by Landlock; the filter rejects all others. */
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

/* A system call of the watched process, which waits for a response. */
struct linux_call {
  uint64_t id;
  pid_t thread;
  /* NULL if the name is unknown. */
  const char *name;
  int number;
  enum linux_call_kind deed;
  uint64_t arguments[6];
  /* The indices of the arguments that are paths, and of the folders to which they are relative; -1 = none. */
  signed char folder, path, other_folder, other_path;
};

/* Forks a process that this process need not wait for. Returns 0 in the new process, and -1 on failure. The calling thread must be the
   only thread of this process. */
pid_t linux_fork_apart(void);

/* Allows a process that is not this process's parent to read this process's memory. */
void linux_be_read_by(pid_t process);

/* Like linux_refuse_calls(), but each rejected call, and each call that takes file names, waits for a response from the owner of the
   returned descriptor. This process must close its own copy before it runs untrusted code. The calling thread must be the only
   thread of this process. Returns -1 if this kernel does not support watching calls. */
int linux_watch_calls(uint32_t freedoms);

/* Whether a call can be allowed to continue, which requires Linux 5.5. */
bool linux_can_let_calls_through(int watch);

/* Reads the next call; wait for it with poll(2). Returns false if the thread that made it has ended. */
bool linux_next_call(int watch, struct linux_call *call);

/* Whether the thread that made the call is still waiting. If so, memory that was read before this check belonged to
   that thread. */
bool linux_call_waits(int watch, uint64_t id);

/* Responds to a call. If `failure` is 0, the kernel executes the call as usual; otherwise the call fails with this errno. */
void linux_answer_call(int watch, uint64_t id, int failure);

/* Reads available bytes, up to 4096. Returns -1 if there are none, or reading is not allowed. */
ssize_t linux_read_memory(pid_t process, uint64_t address, void *bytes, size_t count);

/* The numbers of the calls that take file names, for linux_watch_calls(). */
enum { LINUX_MOST_FILE_CALLS = 24 };
size_t linux_file_calls(unsigned short numbers[LINUX_MOST_FILE_CALLS]);
