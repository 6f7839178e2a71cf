import CSynthLinux

/// The C library's heap, which Swift uses too. Both functions may be called on any thread.
package enum Heap {
    /// Configures the heap of a program that runs for days with bursts of work, so that it returns more memory on its
    /// own.
    ///
    /// glibc raises its limit for separate mappings to the largest block that was freed, up to 32 MB. From then on
    /// large buffers are cut from the heap, and small blocks between them keep it from shrinking. It also makes up to
    /// eight arenas for each processor, and each keeps its own free memory.
    package static func keepSmall() { linux_keep_heap_small() }

    /// Returns free memory to the system. This takes some milliseconds for a heap of a few hundred megabytes.
    package static func trim() { linux_trim_heap() }
}
