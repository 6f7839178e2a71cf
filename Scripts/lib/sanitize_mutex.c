// Tells ThreadSanitizer about Swift's Mutex. If a mutex is contended, it is locked and unlocked by functions of the Swift runtime, which
// was built without the sanitizer, so correct code would be reported as a data race. `Scripts/sanitize thread` links this file
// into each program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT(name) __asm__("$s15Synchronization12_MutexHandleV" name)
#define SELF __attribute__((swift_context)) void *mutex

// The functions of `_MutexHandle` in libswiftSynchronization.
__attribute__((swiftcall)) void lock_slow(uint32_t word, SELF) SWIFT("9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void unlock_slow(SELF) SWIFT("11_unlockSlowyyF");

typedef __attribute__((swiftcall)) void lock_function(uint32_t word, SELF);
typedef __attribute__((swiftcall)) void unlock_function(SELF);

__attribute__((swiftcall)) void lock_slow(uint32_t word, SELF) {
  ((lock_function *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(word, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void unlock_slow(SELF) {
  if (__tsan_release) __tsan_release(mutex);
  ((unlock_function *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(mutex);
}
