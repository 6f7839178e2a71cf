import CSynthArchive
import Glibc
import SynthDocuments
import SynthSystem

/// The text files of a zipped book, held in memory.
struct BookArchive {
    /// File contents, keyed by their path in the archive.
    private var members: [String: [UInt8]] = [:]
    /// Paths, keyed by alternative spellings: in lowercase, without escape sequences, or as returned by `outline`.
    private var spellings: [String: String] = [:]
    /// The paths of all files, including those whose contents are not loaded.
    private(set) var names: Set<String> = []
    /// The total size of the loaded contents, in bytes.
    private var size = 0

    private static let maximumMembers = 20_000
    /// The maximum total size of the text files. Even the longest novels are only a few megabytes.
    private static let maximumBytes = 128 << 20

    /// - Parameter file: a seekable file that is open for reading and positioned at its start.
    init(file: Int32) throws(DocumentFailure) {
        try read(file) { Self.isText($0) }
    }

    /// Loads the contents of additional files.
    ///
    /// - Parameters:
    ///   - paths: paths in the book.
    ///   - file: a seekable file.
    mutating func load(_ paths: [BookPath], file: Int32) throws(DocumentFailure) {
        let wanted = Set(paths.compactMap(name).filter { members[$0] == nil })
        guard !wanted.isEmpty, lseek(file, 0, SEEK_SET) == 0 else { return }
        try read(file) { wanted.contains($0) }
    }

    private mutating func read(_ file: Int32, where isWanted: (String) -> Bool) throws(DocumentFailure) {
        try Self.forEachMember(of: file) { archive, entry, path throws(DocumentFailure) in
            note(path.text)
            guard isWanted(path.text) else { return true }
            if archive_entry_is_data_encrypted(entry) != 0 { throw .encrypted }
            let content = try Self.content(archive, most: min(MarkupTree.largest, Self.maximumBytes - size))
            size += content.count
            members[path.text] = content
            return true
        }
    }

    /// Passes the members of an archive to `body` until it returns false.
    private static func forEachMember(
        of file: Int32,
        _ body: (_ archive: OpaquePointer, _ entry: OpaquePointer, BookPath) throws(DocumentFailure) -> Bool
    ) throws(DocumentFailure) {
        guard let archive = archive_read_new() else { throw .damaged("needs more memory than is available") }
        defer { archive_read_free(archive) }
        let locale = ReaderLocale()
        defer { locale.end() }
        archive_read_support_format_zip(archive)
        guard archive_read_open_fd(archive, file, 1 << 16) == ARCHIVE_OK else { throw damage(archive) }
        var count = 0
        var entry: OpaquePointer?
        while true {
            let result = archive_read_next_header(archive, &entry)
            if result == ARCHIVE_EOF { return }
            guard result == ARCHIVE_OK || result == ARCHIVE_WARN, let entry else { throw damage(archive) }
            count += 1
            guard count <= maximumMembers else { throw .tooLarge }
            guard let name = name(of: entry), let path = BookPath(name) else { continue }
            if try !body(archive, entry, path) { return }
        }
    }

    /// Returns the name of an entry. A name without the UTF-8 flag is decoded as UTF-8 if possible and otherwise as
    /// code page 437, the default in the ZIP format.
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
        // Some archives were created on a case-insensitive system or contain escaped names.
        for spelling in [path.lowercased(), BookPath.unescaped(path), Self.outline(path)]
        where spellings[spelling] == nil {
            spellings[spelling] = path
        }
    }

    /// Returns the path in lowercase with each run of non-ASCII characters replaced with a placeholder, so that paths
    /// can be compared regardless of encoding.
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

    /// Returns the path at which the archive contains a file, or nil if there is no such file.
    func name(of path: BookPath) -> String? {
        if names.contains(path.text) { return path.text }
        return spellings[path.text] ?? spellings[path.text.lowercased()] ?? spellings[Self.outline(path.text)]
    }

    /// Parses an XML file. Returns nil if it does not exist or is not well-formed.
    ///
    /// - Parameter onFault: receives the line and the cause if the file is not well-formed.
    func xml(_ path: BookPath, onFault: (Int, String) -> Void = { _, _ in }) throws(DocumentFailure) -> MarkupTree? {
        guard let bytes = self[path] else { return nil }
        return try MarkupTree.xml(bytes, path.text, onFault: onFault)
    }

    /// Whether the archive contains files that identify it as a book.
    var isBook: Bool {
        members["mimetype"] != nil
            || names.contains { $0.hasPrefix("META-INF/") } && !names.contains("META-INF/MANIFEST.MF")
    }

    /// The paths of possible package documents, for a book whose container file does not specify one.
    var packages: [BookPath] {
        members.keys.filter { $0.lowercased().hasSuffix(".opf") }.sorted().compactMap { BookPath($0) }
    }

    /// Whether the file contains text. Images, audio files and fonts are not loaded.
    private static func isText(_ path: String) -> Bool {
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return path == "mimetype"
            || ["xml", "opf", "ncx", "xhtml", "html", "htm", "xht", "svg", "fb2", "rels"].contains(ending)
    }

    /// The maximum size of a cover image in bytes.
    private static let maximumPictureBytes = 8 << 20

    /// Returns the bytes of an image, or nil if it does not exist or is too large. Images are not kept in memory.
    ///
    /// - Parameter file: a seekable file.
    static func picture(_ path: BookPath, file: Int32) -> [UInt8]? {
        guard lseek(file, 0, SEEK_SET) == 0 else { return nil }
        var picture: [UInt8]?
        try? forEachMember(of: file) { archive, _, member throws(DocumentFailure) in
            guard member.text.lowercased() == path.text.lowercased() else { return true }
            picture = try content(archive, most: maximumPictureBytes)
            return false
        }
        return picture
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
            "is not a complete archive" + (archive_error_string(archive).map { " (\(String(cString: $0)))" } ?? ""))
    }
}

/// A normalized path inside a book, without `.` or `..` components.
struct BookPath: Hashable {
    let text: String

    /// Returns nil if the path leads outside the book or is empty.
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

    /// The file name without folders.
    var name: Substring { text.split(separator: "/").last ?? text[...] }

    /// Resolves a reference in a file of the book, such as `../text/one.xhtml#start`.
    ///
    /// - Returns: nil if the reference leads outside the book.
    static func reference(_ reference: String, from file: BookPath) -> (path: BookPath, anchor: String?)? {
        guard !reference.contains("://"), !reference.hasPrefix("data:") else { return nil }
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let anchor = parts.count > 1 && !parts[1].isEmpty ? unescaped(parts[1]) : nil
        if parts[0].isEmpty { return (file, anchor) }
        // An absolute path starts at the root of the book.
        let folder = parts[0].hasPrefix("/") ? nil : file.folder
        return BookPath(unescaped(parts[0]), in: folder).map { ($0, anchor) }
    }

    /// The folder of the file, or nil for the root of the book.
    private var folder: BookPath? {
        text.lastIndex(of: "/").flatMap { BookPath(String(text[..<$0])) }
    }

    static func unescaped(_ text: String) -> String {
        PercentEncoding.decoded(text.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? text
    }
}

/// Makes libarchive accept UTF-8 names on this thread. In the default "C" locale, libarchive drops them.
struct ReaderLocale {
    nonisolated(unsafe) private static let utf8: locale_t? = {
        for name in ["C.UTF-8", "en_US.UTF-8"] {
            if let locale = newlocale(LC_CTYPE_MASK, name, nil) { return locale }
        }
        return nil
    }()
    private let previous: locale_t?

    /// Opens the locale in advance, because a confined process cannot open it.
    static func open() { _ = utf8 }

    init() { previous = Self.utf8.flatMap { uselocale($0) } }

    /// Restores the thread's locale.
    func end() { if let previous { uselocale(previous) } }
}

/// The default encoding of names in archives.
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
