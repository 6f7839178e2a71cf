import CSynthLinux
import Glibc

/// This process's environment variables.
package struct ProcessEnvironment {
    package private(set) var variables: [String: String] = [:]
    /// The names of variables that contain paths, but whose values are not valid UTF-8. Replacing the invalid bytes
    /// would make the paths refer to other files.
    package private(set) var misleading: [String] = []
    /// The raw entries: `NAME=value`.
    var entries: [[UInt8]] = []

    package init() {
        var entry = environ
        while let string = entry.pointee {
            entries.append(
                Array(UnsafeBufferPointer(start: string, count: strlen(string))).map { UInt8(bitPattern: $0) })
            let parts = String(cString: string).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            if let name = parts.first.map(String.init), Self.leadsToFiles(name),
                String(validatingCString: string) == nil
            {
                misleading.append(name)
            }
            entry += 1
        }
    }

    /// Returns the paths of the executables with this name in the folders of `PATH`, in order. Relative folders are
    /// ignored, because they depend on the working directory.
    package static func programs(_ name: String, in variables: [String: String]) -> some Sequence<String> {
        (variables["PATH"] ?? "").split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .filter { access($0, X_OK) == 0 && RegularFile(path: $0) != nil }
    }

    /// Returns the path of an installed program; nil if it is not installed.
    package static func program(_ name: String, in variables: [String: String] = ProcessEnvironment().variables)
        -> String?
    {
        programs(name, in: variables).first { _ in true }
    }

    private static func leadsToFiles(_ name: String) -> Bool {
        name == "HOME" || name.hasPrefix("XDG_") || name.hasPrefix("SYNTHHOST_")
    }
}

/// The arguments passed to this process. `CommandLine` reads them from `/proc` and finds none if `/proc` is missing.
package enum ProcessArguments {
    /// The arguments after the program name, as NUL-terminated bytes. They are valid until the process ends.
    package static var raw: [UnsafePointer<CChar>] {
        (1..<max(1, linux_argument_count())).compactMap { linux_argument($0) }
    }

    /// The arguments as text, with invalid UTF-8 repaired.
    package static var texts: [String] { raw.map { String(cString: $0) } }

    /// The path of this process's executable, with links resolved; nil if it is unknown.
    package static var executable: String? {
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let base = buffer.baseAddress, case let count = readlink("/proc/self/exe", base, buffer.count),
                count > 0
            else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
        }
        if let path { return path }
        return linux_executable().flatMap { LinkTarget.real(String(cString: $0)) }
    }
}

/// The C library's heap, which Swift also uses. Both functions are thread-safe.
package enum Heap {
    /// Configures the heap for a program that runs for days with bursts of work, so that it returns more memory to the
    /// system automatically.
    ///
    /// By default, glibc raises its mmap threshold to the size of the largest block that was freed, up to 32 MB. From
    /// then on, large buffers are allocated on the heap, and small blocks between them keep the heap from shrinking.
    /// glibc also creates up to eight arenas per processor, each of which keeps its own free memory.
    package static func keepSmall() { linux_keep_heap_small() }

    /// Returns free memory to the system. This takes a few milliseconds for a heap of several hundred megabytes.
    package static func trim() { linux_trim_heap() }
}
