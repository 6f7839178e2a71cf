import Glibc

/// Makes a path absolute, so that it does not depend on the working directory. The path need not exist.
package func absolutePath(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let base = String(cString: folder)
    return base.hasSuffix("/") ? base + path : "\(base)/\(path)"
}

extension String {
    /// Returns the path of the entry `name` in the folder at this path.
    package func child(_ name: some StringProtocol) -> String {
        utf8.last == UInt8(ascii: "/") ? "\(self)\(name)" : "\(self)/\(name)"
    }
}

/// Resolves symbolic links and finds a path's folder.
package enum LinkTarget {
    /// Returns the final target of a chain of links; nil if the path is not a link, or if the links form a loop. The
    /// target need not exist.
    package static func of(_ path: String) -> String? {
        var current = path
        for _ in 0..<40 {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(current, &buffer, buffer.count)
            if count < 0 { return current == path ? nil : current }
            let link = String(decoding: buffer[..<count], as: UTF8.self)
            guard !link.hasPrefix("/"), let slash = current.lastIndex(of: "/") else {
                current = link
                continue
            }
            current = current[...slash] + link
        }
        return nil
    }

    /// Returns the path with all links resolved; nil if it does not exist.
    package static func real(_ path: String) -> String? {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the folder that contains a file.
    package static func folder(of path: String) -> String {
        // Search the path by bytes, as the kernel does, because Swift treats a slash with a combining accent as a
        // different character.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// `LD_LIBRARY_PATH`: the folders in which the dynamic loader looks for shared libraries (ld.so(8)).
package enum LibraryPath {
    package static let variable = "LD_LIBRARY_PATH"

    /// Whether the variable can contain this folder. The loader splits the value at `:` and `;`, expands `$`, and has
    /// no escape syntax.
    package static func canName(_ folder: String) -> Bool {
        !folder.contains { $0 == ":" || $0 == ";" || $0 == "$" }
    }

    /// Returns the folders in a value, as absolute paths. Empty entries, which would mean the working directory, are
    /// skipped.
    package static func folders(in value: String) -> [String] {
        value.split { $0 == ":" || $0 == ";" }.map { folder in
            // The loader expands tokens such as `$ORIGIN`.
            folder.hasPrefix("$") ? String(folder) : absolutePath(String(folder))
        }
    }
}
