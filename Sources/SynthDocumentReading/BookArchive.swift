import CSynthArchive
import Glibc
import SynthDocuments
import SynthSystem

/// The texts of a zipped book, in memory.
struct BookArchive {
    /// By the path in the archive.
    private var members: [String: [UInt8]] = [:]
    /// Their paths, by the same in lower case.
    private var paths: [String: String] = [:]

    private static let mostMembers = 20_000
    /// All texts together. The longest novels have some megabytes.
    private static let mostBytes = 128 << 20

    /// - Parameter file: open for reading, at its beginning. It can be searched, as a file on a disk.
    init(file: Int32) throws(DocumentFailure) {
        guard let archive = archive_read_new() else { throw .damaged("needs more memory than there is") }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip(archive)
        guard archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK else { throw Self.damage(archive) }
        var count = 0
        var bytes = 0
        var entry: OpaquePointer?
        while true {
            let result = archive_read_next_header(archive, &entry)
            if result == ARCHIVE_EOF { break }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw Self.damage(archive) }
            count += 1
            guard count <= Self.mostMembers else { throw .tooLarge }
            let name = (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)).map { String(cString: $0) }
            guard let path = name.flatMap({ BookPath($0) }), Self.isText(path.text) else { continue }
            if archive_entry_is_data_encrypted(entry) != 0 { throw .encrypted }
            members[path.text] = try Self.content(archive, most: min(MarkupTree.largest, Self.mostBytes - bytes))
            paths[path.text.lowercased()] = path.text
            bytes += members[path.text]?.count ?? 0
        }
    }

    subscript(path: BookPath) -> [UInt8]? { name(of: path).flatMap { members[$0] } }

    /// The paths of the texts.
    var names: [String] { Array(members.keys) }

    /// The path that a file of the book really has; nil = there is none.
    func name(of path: BookPath) -> String? {
        // Some are made on a system where the case of letters means nothing.
        members[path.text] == nil ? paths[path.text.lowercased()] : path.text
    }

    /// A file of XML; nil = there is none, or it is not well-formed.
    func xml(_ path: BookPath) throws(DocumentFailure) -> MarkupTree? {
        guard let bytes = self[path] else { return nil }
        return try MarkupTree.xml(bytes, path.text)
    }

    /// Pictures, sounds and fonts stay where they are.
    private static func isText(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return path == "mimetype"
            || ["xml", "opf", "ncx", "xhtml", "html", "htm", "xht", "fb2", "rels"].contains(ending)
    }

    /// A picture larger than that is no cover.
    private static let mostOfPicture = 8 << 20

    /// The bytes of a picture, which are not kept with the texts; nil = it is not there, or too large.
    ///
    /// - Parameter file: can be searched.
    static func picture(_ path: BookPath, file: Int32) -> [UInt8]? {
        guard lseek(file, 0, SEEK_SET) == 0, let archive = archive_read_new() else { return nil }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip(archive)
        guard archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK else { return nil }
        var entry: OpaquePointer?
        for _ in 0..<mostMembers {
            let result = archive_read_next_header(archive, &entry)
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { return nil }
            let name = (archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)).map { String(cString: $0) }
            guard let name, BookPath(name)?.text.lowercased() == path.text.lowercased() else { continue }
            return try? content(archive, most: mostOfPicture)
        }
        return nil
    }

    private static func content(_ archive: OpaquePointer, most: Int) throws(DocumentFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = archive_read_data(archive, buffer.baseAddress, buffer.count)
            guard count >= 0 else { throw damage(archive) }
            if count == 0 { return bytes }
            guard bytes.count + count <= most else { throw .tooLarge }
            bytes += buffer[..<count]
        }
    }

    private static func damage(_ archive: OpaquePointer) -> DocumentFailure {
        .damaged(
            "is no whole archive" + (archive_error_string(archive).map { " (\(String(cString: $0)))" } ?? ""))
    }
}

/// A path inside a book, without `.` and `..`.
struct BookPath: Hashable {
    let text: String

    /// nil = it leads out of the book, or nowhere.
    init?(_ path: String, in folder: BookPath? = nil) {
        var parts = folder.map { $0.text.split(separator: "/").map(String.init) } ?? []
        for part in path.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        guard !parts.isEmpty else { return nil }
        text = parts.joined(separator: "/")
    }

    /// Without its folders.
    var name: Substring { text.split(separator: "/").last ?? text[...] }

    /// What a reference in a file of the book leads to, as `../text/one.xhtml#start`.
    ///
    /// - Returns: nil = out of the book.
    static func reference(_ reference: String, from file: BookPath) -> (path: BookPath, anchor: String?)? {
        guard !reference.contains("://"), !reference.hasPrefix("/"), !reference.hasPrefix("data:") else { return nil }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let anchor = parts.count > 1 && !parts[1].isEmpty ? unescaped(parts[1]) : nil
        if parts[0].isEmpty { return (file, anchor) }
        return BookPath(unescaped(parts[0]), in: file.folder).map { ($0, anchor) }
    }

    /// nil = the root of the book.
    private var folder: BookPath? {
        text.lastIndex(of: "/").flatMap { BookPath(String(text[..<$0])) }
    }

    private static func unescaped(_ text: String) -> String {
        PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? text
    }
}
