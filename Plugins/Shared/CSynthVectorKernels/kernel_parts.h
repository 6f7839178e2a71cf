/* Definitions shared by the kernels. */
#pragma once

#include <stddef.h>

/* The function that selects a clone for the processor runs before ThreadSanitizer is initialized, so a program with
   clones would crash under ThreadSanitizer. */
#if defined(__clang__) && defined(__x86_64__)
#if !__has_feature(thread_sanitizer)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef FOR_EACH_PROCESSOR
#define FOR_EACH_PROCESSOR
#endif
/* An inlined function is compiled for the instruction set of its caller. */
#define PART static inline __attribute__((always_inline))
/* With compilers other than clang, the kernels are built only for tests. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

PART size_t divided_up(size_t number, size_t by) { return (number + by - 1) / by; }
