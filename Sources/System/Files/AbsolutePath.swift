import Glibc

/// A path that means the same in whatever folder a process works. That nothing is there shows when it is used.
package func absolutePath(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let base = String(cString: folder)
    return base.hasSuffix("/") ? base + path : "\(base)/\(path)"
}
