/* Landlock and seccomp, whose headers are too old on some systems and cannot be imported by Swift. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The version of Landlock that the kernel has; 0 = none, or it is turned off. */
int linux_landlock_version(void);

/* A new set of rules: what is handled is refused if no rule allows it (landlock(7)). `network` counts from version 4, `scoped` from 6.
   A descriptor; -1 and errno on failure. */
int linux_landlock_rules(int version, uint64_t files, uint64_t network, uint64_t scoped);

/* Allows access to a file, or to all below a folder. What is in /proc stays open (O_PATH). -1 and errno on failure. */
int linux_landlock_allow(int rules, const char *path, uint64_t access);

/* From now on this thread, and all that it starts, keep to the rules, in addition to older ones. linux_harden() comes before.
   -1 and errno on failure. */
int linux_landlock_restrict(int rules);

/* From now on all threads of this process are refused the calls that linux_refused.c lists with the reasons, those of a network
   only if it may not use one. linux_harden() comes before. false = this kernel has no filters. */
bool linux_refuse_calls(bool network);

/* Whether this kernel has filters for calls. */
bool linux_has_filters(void);

/* Bounds the size of a file, and the number of open ones. Memory is bounded by linux_harden(). */
void linux_limit_resources(void);
