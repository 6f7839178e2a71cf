/* Kernel and C library functions that Swift cannot import, for checking engines. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* After this call, the kernel kills the process with SIGSYS (seccomp(2)) if any thread opens an internet socket
   (linux_forbid_network) or starts a process or program (linux_forbid_processes). Returns false if the kernel does not support
   this. Call linux_harden() first. */
bool linux_forbid_network(void);
bool linux_forbid_processes(void);

/* The number of heap bytes in use, in all arenas (mallinfo2 is not in the Glibc module). */
size_t linux_heap_in_use(void);
