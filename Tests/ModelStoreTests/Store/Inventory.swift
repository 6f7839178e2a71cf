import Foundation
import Glibc

/// All files below a folder, with paths, contents and modes, to detect any change. Links are not followed.
struct Inventory: Equatable {
    private(set) var lines: [String] = []

    init(_ root: String) {
        for name in (FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? []).sorted() {
            let path = root + "/" + name
            var status = stat()
            lstat(path, &status)
            let content =
                status.st_mode & S_IFMT == S_IFREG
                ? FileManager.default.contents(atPath: path)?.base64EncodedString() : nil
            lines.append("\(name) \(String(status.st_mode, radix: 8)) \(content ?? "")")
        }
    }
}
