/// `LD_LIBRARY_PATH`: folders in which the loader looks for shared libraries, by ld.so(8).
package enum LibraryPath {
    package static let variable = "LD_LIBRARY_PATH"

    /// The folders of its value, each of them absolute. An empty one, which would mean the working directory, is left
    /// out.
    package static func folders(in value: String) -> [String] {
        value.split { $0 == ":" || $0 == ";" }.map { folder in
            // The loader expands it.
            folder.hasPrefix("$") ? String(folder) : absolutePath(String(folder))
        }
    }
}
