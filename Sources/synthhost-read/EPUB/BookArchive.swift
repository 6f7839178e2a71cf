import CSynthArchive
import Glibc
import SynthDocuments
import SynthSystem

/// The texts of a zipped book, in memory.
struct BookArchive {
    /// By the path in the archive.
    private var members: [String: [UInt8]] = [:]
    /// Paths by other spellings of them: in small letters, without escapes, in another encoding.
    private var spellings: [String: String] = [:]
    /// The paths of all files, also of those whose content is not kept.
    private(set) var names: Set<String> = []
    /// How many bytes are kept.
    private var size = 0

    private static let mostMembers = 20_000
    /// All texts together. The longest novels have some megabytes.
    private static let mostBytes = 128 << 20

    /// - Parameter file: open for reading, at its beginning. It can be searched, as a file on a disk.
    init(file: Int32) throws(DocumentFailure) {
        try read(file) { Self.isText($0) }
    }

    /// Keeps the content of more files.
    ///
    /// - Parameters:
    ///   - paths: as the book names them.
    ///   - file: can be searched.
    mutating func load(_ paths: [BookPath], file: Int32) throws(DocumentFailure) {
        let wanted = Set(paths.compactMap(name).filter { members[$0] == nil })
        guard !wanted.isEmpty, lseek(file, 0, SEEK_SET) == 0 else { return }
        try read(file) { wanted.contains($0) }
    }

    private mutating func read(_ file: Int32, where isWanted: (String) -> Bool) throws(DocumentFailure) {
        guard let archive = archive_read_new() else { throw .damaged("needs more memory than there is") }
        defer { archive_read_free(archive) }
        let locale = ReaderLocale()
        defer { locale.end() }
        archive_read_support_format_zip(archive)
        guard archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK else { throw Self.damage(archive) }
        var count = 0
        var entry: OpaquePointer?
        while true {
            let result = archive_read_next_header(archive, &entry)
            if result == ARCHIVE_EOF { break }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw Self.damage(archive) }
            count += 1
            guard count <= Self.mostMembers else { throw .tooLarge }
            guard let name = Self.name(of: entry), let path = BookPath(name) else { continue }
            note(path.text)
            guard isWanted(path.text) else { continue }
            if archive_entry_is_data_encrypted(entry) != 0 { throw .encrypted }
            let content = try Self.content(archive, most: min(MarkupTree.largest, Self.mostBytes - size))
            size += content.count
            members[path.text] = content
        }
    }

    /// The name of an entry. Names without a mark of their encoding are UTF-8, else in code page 437, as the format says.
    private static func name(of entry: OpaquePointer) -> String? {
        if let name = archive_entry_pathname_utf8(entry) {
            return String(validatingCString: name)?.replacing("\\", with: "/")
        }
        guard let bytes = archive_entry_pathname(entry) else { return nil }
        let name = String(validatingCString: bytes) ?? CodePage437.text(bytes)
        return name.replacing("\\", with: "/")
    }

    private mutating func note(_ path: String) {
        guard names.insert(path).inserted else { return }
        // Some archives are made on a system where the case of letters means nothing, or have names with escapes.
        for spelling in [path.lowercased(), BookPath.unescaped(path), Self.outline(path)]
        where spellings[spelling] == nil {
            spellings[spelling] = path
        }
    }

    /// A path with one sign for each run of letters beyond ASCII, whatever encoding they are in.
    private static func outline(_ path: String) -> String {
        var text = "\0"
        var isOther = false
        for scalar in path.lowercased().unicodeScalars {
            if scalar.isASCII { text.unicodeScalars.append(scalar) } else if !isOther { text += "\u{FFFD}" }
            isOther = !scalar.isASCII
        }
        return text
    }

    subscript(path: BookPath) -> [UInt8]? { name(of: path).flatMap { members[$0] } }

    /// The path that a file of the book really has; nil = there is none.
    func name(of path: BookPath) -> String? {
        if names.contains(path.text) { return path.text }
        return spellings[path.text] ?? spellings[path.text.lowercased()] ?? spellings[Self.outline(path.text)]
    }

    /// A file of XML; nil = there is none, or it is not well-formed.
    ///
    /// - Parameter onFault: gets the line and the cause if it is not well-formed.
    func xml(_ path: BookPath, onFault: (Int, String) -> Void = { _, _ in }) throws(DocumentFailure) -> MarkupTree? {
        guard let bytes = self[path] else { return nil }
        return try MarkupTree.xml(bytes, path.text, onFault: onFault)
    }

    /// Whether it says that it is a book.
    var isBook: Bool {
        members["mimetype"] != nil
            || names.contains { $0.hasPrefix("META-INF/") } && !names.contains("META-INF/MANIFEST.MF")
    }

    /// The package documents, if no other file says which they are.
    var packages: [BookPath] {
        members.keys.filter { $0.lowercased().hasSuffix(".opf") }.sorted().compactMap { BookPath($0) }
    }

    /// Pictures, sounds and fonts stay where they are.
    private static func isText(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return path == "mimetype"
            || ["xml", "opf", "ncx", "xhtml", "html", "htm", "xht", "svg", "fb2", "rels"].contains(ending)
    }

    /// A picture larger than that is no cover.
    private static let mostOfPicture = 8 << 20

    /// The bytes of a picture, which are not kept with the texts; nil = it is not there, or too large.
    ///
    /// - Parameter file: can be searched.
    static func picture(_ path: BookPath, file: Int32) -> [UInt8]? {
        guard lseek(file, 0, SEEK_SET) == 0, let archive = archive_read_new() else { return nil }
        defer { archive_read_free(archive) }
        let locale = ReaderLocale()
        defer { locale.end() }
        archive_read_support_format_zip(archive)
        guard archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK else { return nil }
        var entry: OpaquePointer?
        for _ in 0..<mostMembers {
            let result = archive_read_next_header(archive, &entry)
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { return nil }
            guard let name = name(of: entry), BookPath(name)?.text.lowercased() == path.text.lowercased() else {
                continue
            }
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
        guard !reference.contains("://"), !reference.hasPrefix("data:") else { return nil }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let anchor = parts.count > 1 && !parts[1].isEmpty ? unescaped(parts[1]) : nil
        if parts[0].isEmpty { return (file, anchor) }
        // A path from the root is one from the root of the book.
        let folder = parts[0].hasPrefix("/") ? nil : file.folder
        return BookPath(unescaped(parts[0]), in: folder).map { ($0, anchor) }
    }

    /// nil = the root of the book.
    private var folder: BookPath? {
        text.lastIndex(of: "/").flatMap { BookPath(String(text[..<$0])) }
    }

    static func unescaped(_ text: String) -> String {
        PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? text
    }
}

/// Lets libarchive take names in UTF-8 on this thread: in the locale of a program that chose none, it drops them.
struct ReaderLocale {
    nonisolated(unsafe) private static let utf8: locale_t? = {
        for name in ["C.UTF-8", "en_US.UTF-8"] {
            if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return locale }
        }
        return nil
    }()
    private let previous: locale_t?

    /// Opens the locale, which a confined process cannot do later.
    static func open() { _ = utf8 }

    init() { previous = Self.utf8.flatMap { uselocale($0) } }

    /// Restores the locale of the thread.
    func end() { if let previous { uselocale(previous) } }
}

/// The encoding of names in archives that tell no other.
private enum CodePage437 {
    private static let upperHalf = Array(
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
    )

    static func text(_ bytes: UnsafePointer<CChar>) -> String {
        var text = ""
        for index in 0..<min(strlen(bytes), 4096) {
            let byte = UInt8(bitPattern: bytes[index])
            text.append(byte < 0x80 ? Character(Unicode.Scalar(byte)) : upperHalf[Int(byte) - 0x80])
        }
        return text
    }
}
