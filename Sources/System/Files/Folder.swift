import Glibc

/// Makes the folder that a file is to lie in, with all above it, for its owner alone. That it cannot be made shows when
/// the file is written.
package func makeFolder(of file: String) {
    var end = file.startIndex
    while let slash = file[end...].firstIndex(of: "/") {
        if slash > file.startIndex { mkdir(String(file[..<slash]), 0o700) }
        end = file.index(after: slash)
    }
}

package func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
