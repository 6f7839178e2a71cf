/* Landlock and seccomp, whose headers are too old on some systems and cannot be imported by Swift. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The version of Landlock that the kernel has; -1 and errno if there is none: ENOSYS = the kernel was built without, EOPNOTSUPP = it was
   started without, anything else = somebody's filter refuses the question. */
int linux_landlock_version(void);

/* What a process with foreign code may do beyond computing. Bits. */
enum linux_freedom {
  LINUX_MAY_CONNECT = 1 << 0,    /* to other machines */
  LINUX_MAY_WRITE_CODE = 1 << 1, /* and run it */
  LINUX_MAY_CONTROL = 1 << 2,    /* devices, by their own calls (ioctl) */
  LINUX_MAY_BECOME = 1 << 3      /* another program, which keeps the same walls (execve) */
};

/* A new set of rules: what is handled is refused if no rule allows it (landlock(7)). `network` counts from version 4, `scoped` from 6.
   A descriptor; -1 and errno on failure. */
int linux_landlock_rules(int version, uint64_t files, uint64_t network, uint64_t scoped);

/* Allows access to a file, or to all below a folder. What is in /proc stays open (O_PATH). -1 and errno on failure. */
int linux_landlock_allow(int rules, const char *path, uint64_t access);

/* Allows connections to a TCP port, from version 4. -1 and errno on failure. */
int linux_landlock_allow_port(int rules, uint16_t port);

/* From now on this thread, and all that it starts, keep to the rules, in addition to older ones. linux_harden() comes before.
   -1 and errno on failure. */
int linux_landlock_restrict(int rules);

/* From now on all threads of this process are refused the calls that linux_refused.c lists with the reasons, but for those of its
   freedoms. linux_harden() comes before. false = this kernel has no filters. */
bool linux_refuse_calls(uint32_t freedoms);

/* Whether this process could have filters for calls. -1 and errno if not: EINVAL or ENOSYS = the kernel was built without, anything else = somebody's filter
   refuses the question. */
int linux_has_filters(void);

/* Bounds the size of a file, and the number of open ones. Memory is bounded by linux_harden(). */
void linux_limit_resources(void);
