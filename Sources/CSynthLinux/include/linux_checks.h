/* Functions of the kernel and the C library for checks of engines, which Swift cannot import. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* From now on the process is killed with SIGSYS if any thread opens an internet socket (network) or starts a process or
   program (seccomp(2)). Returns false if the kernel does not support it. Call linux_harden() first. */
bool linux_forbid_network(void);
bool linux_forbid_processes(void);

/* The number of heap bytes in use, in all arenas (mallinfo2 is absent from the Glibc module). */
size_t linux_heap_in_use(void);
