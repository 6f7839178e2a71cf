import Glibc

/// The target of a symbolic link, and the folder of a path.
package enum LinkTarget {
    /// The end of a chain of links, which need not exist; nil if the path is not a link, or the links form a loop.
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

    /// The folder that a file lies in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
