import Glibc

/// Where a symbolic link leads that leads to nothing.
package enum LinkTarget {
    /// The end of a chain of links, which need not exist; nil where the path is no link, or the chain has no end.
    static func of(_ path: String) -> String? {
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
