import Glibc

/// The path made absolute, so that it does not depend on the working directory. The path need not exist.
package func absolutePath(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let base = String(cString: folder)
    return base.hasSuffix("/") ? base + path : "\(base)/\(path)"
}
