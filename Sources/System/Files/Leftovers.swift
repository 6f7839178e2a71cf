import Glibc

/// Temporary files of processes that were killed before they could rename them.
package enum Leftovers {
    /// Removes from a folder the files of dead processes whose names are `prefix`, the process id, a dot, another
    /// number and `suffix`. A file of a living process stays.
    package static func remove(in folder: String, prefix: String, suffix: String = "") {
        for name in FolderListing.names(in: folder) where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            let numbers = name.dropFirst(prefix.count).dropLast(suffix.count)
                .split(separator: ".", omittingEmptySubsequences: false)
            guard numbers.count == 2, numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
                let process = pid_t(numbers[0]), UInt32(numbers[1]) != nil, process > 0, isDead(process)
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    private static func isDead(_ process: pid_t) -> Bool { kill(process, 0) == -1 && Errno.last == .noSuchProcess }
}
