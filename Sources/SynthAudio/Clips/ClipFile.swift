package import System

/// The place of a recorded sound. Nothing is opened before it is read.
package struct ClipFile: Sendable, Hashable {
    package let path: String
    /// The folder, without a link in its path, that the file must be in or below; nil = it may be anywhere.
    package let root: String?

    /// A file that somebody named who may read what this process may read.
    package init(path: String) {
        self.path = path
        root = nil
    }

    /// A file below a folder. Both paths are resolved: if any part of the file's is a link when it is opened, that fails.
    package init(path: String, below root: String) {
        self.path = path
        self.root = root
    }

    /// Opens it if it is a regular file; nothing else is opened, and a pipe is not waited for.
    package func open() throws(Errno) -> Descriptor {
        guard let root else { return try Descriptor.openRegular(path).file }
        let folder: Descriptor
        let name: String
        do throws(FolderTree.Obstacle) {
            (folder, name) = try FolderTree(root: root).parent(of: path)
        } catch {
            throw error.reason
        }
        return try Descriptor.openRegular(name, in: folder).file
    }
}
