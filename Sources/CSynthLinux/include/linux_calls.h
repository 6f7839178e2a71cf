/* Functions of glibc that Swift cannot import: macros with arguments, and functions that require _GNU_SOURCE. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sends one message on a SOCK_SEQPACKET socket, with a descriptor unless `descriptor` is -1 (CMSG_* are macros). Never raises
   SIGPIPE. Returns -1 and sets errno on failure. */
ssize_t linux_send(int socket, const void *bytes, size_t count, int descriptor, bool wait);

/* Receives one message. *descriptor is -1 if none was passed, and otherwise has close-on-exec set; *truncated is true if the
   message was longer than capacity. Returns 0 if the peer has closed its end. */
ssize_t linux_receive(int socket, void *bytes, size_t capacity, int *descriptor, bool *truncated, bool wait);

int linux_pipe(int ends[2]);                              /* pipe2 with O_CLOEXEC */
int linux_pidfd_open(pid_t process);                      /* glibc 2.36 has no wrapper that Swift can import */
int linux_wait_exit(pid_t process, bool wait, int *code, int *signal); /* 1 = exited, 0 = still running, -1 and errno on failure */
void linux_name_thread(pthread_t thread, const char *name);             /* pthread_setname_np, truncated to 15 bytes */
int linux_eventfd(void);                                  /* non-blocking, close-on-exec; not in the Glibc module */
int linux_accept(int socket);                             /* accept4, non-blocking and close-on-exec; needs _GNU_SOURCE */
int64_t linux_peer_user(int socket);                      /* SO_PEERCRED of a Unix socket; -1 for other sockets; ucred needs _GNU_SOURCE */
pid_t linux_peer_process(int socket);                     /* the same for the process; 0 = unknown, or in another namespace */
int linux_open_unnamed(const char *folder, unsigned mode); /* opens for writing with O_TMPFILE, which needs _GNU_SOURCE */
bool linux_is_mount(const char *path);                    /* whether something is mounted at this path; statx needs _GNU_SOURCE */
/* The path of the file that contains a function, as the loader opened it; NULL if unknown. */
const char *linux_file_with(const void *address);

/* The value of a file's extended attribute, without following links (sys/xattr.h is not in the Glibc module).
   Returns -1 and sets errno on failure. */
ssize_t linux_get_attribute(const char *path, const char *name, void *value, size_t capacity);

void linux_trim_heap(void);                               /* malloc_trim: returns free memory to the system; not in the Glibc module */
void linux_keep_heap_small(void);                         /* mallopt: few arenas, and separate mappings for large blocks */

/* Restricts a process that runs untrusted code, and everything that it starts: no core dumps, no new privileges, and at
   most three quarters of the machine's memory. When memory runs out, the kernel kills such a process first. See
   linux_confine.h for stricter confinement. */
void linux_harden(void);

/* Limits the CPU time and memory of this process. Beyond the time limit, the kernel kills it; beyond the memory limit,
   allocations fail. */
void linux_limit_work(uint64_t seconds, uint64_t bytes);

/* The arguments that the kernel passed to this process. Swift's CommandLine reads them from /proc, which may be missing. */
int linux_argument_count(void);                           /* including the program's own name */
const char *linux_argument(int number);                   /* as passed; NULL if it does not exist */
const char *linux_executable(void);                       /* the path that was used to start it; NULL = unknown */

int linux_memory_file(void);                              /* memfd_create, close-on-exec, which needs _GNU_SOURCE */
int linux_signal(int process, int signal);                /* pidfd_send_signal: never reaches a later process that reuses the number */
