import Glibc

/// Makes the folder of a file, with all folders above it, for the owner only. Reports no error: if the folder cannot be
/// made, writing the file fails.
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
