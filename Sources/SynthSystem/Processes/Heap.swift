import CSynthLinux

/// The C library's heap, which Swift uses too. Both functions are thread-safe.
package enum Heap {
    /// Configures the heap for a program that runs for days with bursts of work, so that it returns more memory to the system
    /// automatically.
    ///
    /// glibc raises its mmap threshold to the largest block that was freed, up to 32 MB. From then on, large buffers are allocated
    /// on the heap, and small blocks between them keep the heap from shrinking. It also creates up to eight arenas per processor,
    /// and each keeps its own free memory.
    package static func keepSmall() { linux_keep_heap_small() }

    /// Returns free memory to the system. This takes a few milliseconds for a heap of several hundred megabytes.
    package static func trim() { linux_trim_heap() }
}
