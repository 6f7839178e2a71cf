/* What Swift cannot import from glibc: macros with arguments, and functions that need _GNU_SOURCE. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Sends one message on a SOCK_SEQPACKET socket, with a descriptor if it is not -1 (CMSG_* are macros). Never raises
   SIGPIPE. -1 and errno on failure. */
ssize_t linux_send(int socket, const void *bytes, size_t count, int descriptor, bool wait);

/* Receives one message. *descriptor is -1 if none came with it, and close-on-exec otherwise; *truncated says whether
   the message was longer than capacity. 0 = the other side is gone. */
ssize_t linux_receive(int socket, void *bytes, size_t capacity, int *descriptor, bool *truncated, bool wait);

int linux_pipe(int ends[2]);                              /* pipe2 with O_CLOEXEC */
int linux_pidfd_open(pid_t process);                      /* no wrapper in glibc 2.36's header for Swift */
int linux_wait_exit(pid_t process, bool wait, int *code, int *signal); /* 1 = ended, 0 = still runs, -1 = errno */
void linux_name_thread(pthread_t thread, const char *name);             /* pthread_setname_np, cut at 15 bytes */
int linux_eventfd(void);                                  /* non-blocking, close-on-exec; absent from the Glibc module */
int linux_accept(int socket);                             /* accept4, non-blocking and close-on-exec, which needs _GNU_SOURCE */
int64_t linux_peer_user(int socket);                      /* SO_PEERCRED of a Unix socket, -1 otherwise; ucred needs _GNU_SOURCE */
pid_t linux_peer_process(int socket);                     /* the same; 0 = not known, or of another namespace */
int linux_open_unnamed(const char *folder, unsigned mode); /* open for writing with O_TMPFILE, which needs _GNU_SOURCE */
bool linux_is_mount(const char *path);                    /* whether another file system or file is mounted just there; statx needs _GNU_SOURCE */
/* The path of the file with a function, as the loader has opened it; NULL = it is of no file. */
const char *linux_file_with(const void *address);

/* The value of an extended attribute of a file, without following a link (sys/xattr.h is absent from the Glibc module).
   -1 and errno on failure. */
ssize_t linux_get_attribute(const char *path, const char *name, void *value, size_t capacity);

void linux_trim_heap(void);                               /* malloc_trim: returns free memory to the system (malloc.h is absent) */
void linux_keep_heap_small(void);                         /* mallopt: few arenas, and large blocks as separate mappings */

/* For a process that runs foreign code, and for all that it starts: no core dumps, no new privileges, three quarters of the memory at
   most, and the first to be killed when memory runs out. Higher walls are in linux_confine.h. */
void linux_harden(void);

/* Bounds the processor time and the memory that this process can allocate. Beyond the time the kernel kills it; beyond the memory,
   allocations fail. */
void linux_limit_work(uint64_t seconds, uint64_t bytes);

/* What the kernel passed to the program at its start. Swift's CommandLine reads it from /proc, which may be missing. */
int linux_argument_count(void);                           /* the program's own name counts */
const char *linux_argument(int number);                   /* as it was passed; NULL if there is none */
const char *linux_executable(void);                       /* the path that it was started by; NULL = unknown */

/* A file in memory, close-on-exec, gone with its last descriptor (memfd_create needs _GNU_SOURCE). -1 and errno on failure. */
int linux_memory_file(void);
/* Sends a signal to the process of a pidfd, and to no other one that has its number later. -1 and errno on failure. */
int linux_signal(int process, int signal);
