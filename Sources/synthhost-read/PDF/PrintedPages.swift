import SynthDocuments

/// A PDF in the format of poppler's `pdftohtml -xml`: the contents of each page, in drawing order, and the bookmarks.
struct PrintedPages: Equatable {
    /// Lengths are in thirds of a point, because the program is called with `-zoom 3`.
    struct Page: Equatable {
        var width: Int
        var height: Int
        var fragments: [Fragment] = []
    }

    /// A part of a line in one font.
    struct Fragment: Equatable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int
        var font: Font
        var text: String
        var isBold = false
        var isItalic = false

        var right: Int { left + width }
        var bottom: Int { top + height }
        /// Twice the vertical center, to avoid fractions.
        var middle: Int { 2 * top + height }
    }

    struct Font: Equatable {
        var size: Int
        /// Whether the font is monospaced, as for code.
        var isMono = false
        var isBold = false
        var isItalic = false
        /// Whether the font contains symbols, such as bullets and mathematical characters.
        var isSymbols = false
    }

    struct Bookmark: Equatable {
        /// The level, starting at 1 for the top level.
        var level: Int
        /// The page number, starting at 1.
        var page: Int
        var title: String
    }

    private(set) var pages: [Page] = []
    private(set) var bookmarks: [Bookmark] = []

    private var fonts: [Int: Font] = [:]
    private var depth = 0
    private var count = 0
    private var rest: [UInt8] = []

    /// Limits that no document with readable text exceeds.
    static let maximumBytes = 256 << 20
    private static let maximumPages = 50_000
    private static let maximumFragments = 2_000_000
    private static let maximumBookmarks = 50_000
    private static let longestLine = 1 << 20
    private static let maximumFonts = 100_000
    private static let farthest = 1_000_000

    init() {}

    init(_ bytes: [UInt8]) throws(DocumentFailure) {
        try append(bytes[...])
        try finish()
    }

    /// Processes further output from the program. An incomplete line is buffered until the rest of it arrives.
    ///
    /// - Throws: `tooLarge` if the output exceeds a limit.
    mutating func append(_ bytes: ArraySlice<UInt8>) throws(DocumentFailure) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if rest.isEmpty {
                try read(bytes[start..<end])
            } else {
                rest += bytes[start..<end]
                try read(rest[...])
                rest = []
            }
            start = end + 1
        }
        rest += bytes[start...]
        guard rest.count <= Self.longestLine else { throw .tooLarge }
    }

    mutating func finish() throws(DocumentFailure) {
        try read(rest[...])
        rest = []
    }

    // MARK: - Lines

    /// Reads a line. The program writes one element per line, sometimes preceded by a warning about a link.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(DocumentFailure) {
        guard let start = line.firstIndex(of: UInt8(ascii: "<")) else { return }
        let element = line[start...]
        if element.starts(with: "<text ".utf8) { return try readText(element) }
        if element.starts(with: "<fontspec ".utf8) { return readFont(element) }
        if element.starts(with: "<page ".utf8) {
            guard pages.count < Self.maximumPages else { throw .tooLarge }
            let tag = Tag(element)
            return pages.append(Page(width: number(tag["width"]), height: number(tag["height"])))
        }
        if element.starts(with: "<outline>".utf8) { depth = min(depth + 1, 100) }
        if element.starts(with: "</outline>".utf8) { depth = max(depth - 1, 0) }
        if element.starts(with: "<item".utf8) { try readBookmark(element) }
    }

    private func number(_ value: ArraySlice<UInt8>?) -> Int {
        var (number, isNegative) = (0, false)
        for byte in value ?? [] {
            if byte == UInt8(ascii: "-") { isNegative = true }
            guard (0x30...0x39).contains(byte) else { if byte == UInt8(ascii: "-") { continue } else { break } }
            number = min(number * 10 + Int(byte - 0x30), Self.farthest)
        }
        return isNegative ? -number : number
    }

    private mutating func readFont(_ element: ArraySlice<UInt8>) {
        let tag = Tag(element)
        let family = String(decoding: (tag["family"] ?? [])[...].prefix(200), as: UTF8.self).lowercased()
        func has(_ parts: [String]) -> Bool { parts.contains { family.contains($0) } }
        guard fonts.count < Self.maximumFonts else { return }
        fonts[number(tag["id"])] = Font(
            size: max(1, number(tag["size"])),
            isMono: has(["mono", "courier", "cmtt", "typewriter", "consol", "sftt", "ectt"]),
            isBold: has(["bold", "black", "heavy", "cmbx", "sfbx", "ecbx", "semib", "demi"]),
            isItalic: has(["italic", "oblique", "cmti", "sfti", "ecti", "cmsl", "slanted"]),
            isSymbols: has(["cmsy", "cmmi", "cmex", "math", "symbol", "dingbat", "wingding", "msam", "msbm"]))
    }

    private mutating func readText(_ element: ArraySlice<UInt8>) throws(DocumentFailure) {
        guard let position = pages.indices.last else { return }
        let tag = Tag(element)
        let font = fonts[number(tag["font"])] ?? Font(size: 30)
        let (text, bold, italic) = PrintedText.read(element[tag.end...])
        guard !text.isEmpty else { return }
        count += 1
        guard count <= Self.maximumFragments else { throw .tooLarge }
        pages[position].fragments.append(
            Fragment(
                left: number(tag["left"]), top: number(tag["top"]), width: max(0, number(tag["width"])),
                height: max(1, number(tag["height"])), font: font, text: text, isBold: bold || font.isBold,
                isItalic: italic || font.isItalic))
    }

    private mutating func readBookmark(_ element: ArraySlice<UInt8>) throws(DocumentFailure) {
        let tag = Tag(element)
        let title = PrintedText.read(element[tag.end...]).text.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        guard !title.isEmpty, depth > 0 else { return }
        guard bookmarks.count < Self.maximumBookmarks else { throw .tooLarge }
        bookmarks.append(Bookmark(level: depth, page: number(tag["page"]), title: title))
    }
}

/// The attributes of a start tag.
private struct Tag {
    private let bytes: ArraySlice<UInt8>
    /// The position after the tag's `>`.
    let end: Int

    init(_ element: ArraySlice<UInt8>) {
        var isQuoted = false
        var end = element.startIndex
        while end < element.endIndex, isQuoted || element[end] != UInt8(ascii: ">") {
            if element[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
            end += 1
        }
        bytes = element[..<end]
        self.end = min(end + 1, element.endIndex)
    }

    subscript(name: StaticString) -> ArraySlice<UInt8>? {
        let mark = [UInt8(ascii: " ")] + Array(name.description.utf8) + Array("=\"".utf8)
        var position = bytes.startIndex
        while let blank = bytes[position...].firstIndex(of: UInt8(ascii: " ")) {
            if bytes[blank...].starts(with: mark) {
                return bytes[(blank + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }
            }
            position = blank + 1
        }
        return nil
    }
}

/// Extracts readable text from elements.
enum PrintedText {
    /// Returns the text without tags, and whether it starts in bold or italic type.
    static func read(_ bytes: ArraySlice<UInt8>) -> (text: String, isBold: Bool, isItalic: Bool) {
        var (text, bold, italic): ([UInt8], Bool, Bool) = ([], false, false)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            if byte == UInt8(ascii: "<") {
                let tag = bytes[(position + 1)...].prefix { $0 != UInt8(ascii: ">") }
                if text.isEmpty || text.allSatisfy({ $0 == 0x20 }) {
                    if tag.elementsEqual("b".utf8) { bold = true }
                    if tag.elementsEqual("i".utf8) { italic = true }
                }
                position = min(tag.endIndex + 1, bytes.endIndex)
            } else if byte == UInt8(ascii: "&"), let (scalar, end) = reference(bytes[position...]) {
                text += Array(String(scalar).utf8)
                position = end
            } else {
                text.append(byte)
                position += 1
            }
        }
        return (withHyphens(letters(String(decoding: text, as: UTF8.self))), bold, italic)
    }

    private static func reference(_ bytes: ArraySlice<UInt8>) -> (Character, Int)? {
        let name = bytes.dropFirst().prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: ";") else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        let known: [String: Character] = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        if let sign = known[text] { return (sign, name.endIndex + 1) }
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst()
        let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { (Character($0), name.endIndex + 1) }
    }

    /// Replaces ligatures with their letters, combines accents with their letters, converts bullets in symbol fonts,
    /// and removes control characters.
    static func letters(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var accent: (sign: Unicode.Scalar, letters: [Unicode.Scalar: String])?
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0xFB00...0xFB06: scalars.append(contentsOf: ligatures[Int(scalar.value - 0xFB00)].unicodeScalars)
            case 0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF06E, 0xF0FC, 0xF0A8, 0x2022, 0x25AA, 0x25CF, 0x25E6, 0x2043, 0x25A0,
                0x25CB:
                scalars.append("•")
            case 0xE000...0xF8FF, 0xFFFD, 0xFEFF, 0x200B, 0...8, 0xB...0x1F, 0x7F...0x9F: break
            case 0xA0, 0x2000...0x200A, 0x202F, 0x3000, 9, 0xA: scalars.append(" ")
            default:
                if let mark = marks[scalar.value], accent == nil {
                    accent = (scalar, mark)
                    continue
                }
                guard let mark = accent else {
                    scalars.append(scalar)
                    continue
                }
                // In TeX fonts, an accent is a separate character that is drawn before its letter.
                if scalar == " " { continue }
                let letter: Unicode.Scalar = scalar == "ı" ? "i" : scalar
                scalars.append(contentsOf: (mark.letters[letter] ?? String(mark.sign) + String(scalar)).unicodeScalars)
                accent = nil
            }
        }
        if let accent { scalars.append(accent.sign) }
        return String(scalars)
    }

    /// Replaces soft hyphens with hyphens, because some fonts use soft hyphens for visible hyphens. A soft hyphen at
    /// the end of the text is not replaced.
    private static func withHyphens(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{AD}") else { return text }
        let end = text.unicodeScalars.lastIndex { $0 != " " }
        var scalars = String.UnicodeScalarView()
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            scalars.append(scalar == "\u{AD}" && index != end ? "-" : scalar)
        }
        return String(scalars)
    }

    private static let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
    /// The accented letters for each spacing accent, keyed by base letter.
    private static let marks: [UInt32: [Unicode.Scalar: String]] = [
        0xA8: table("aäeëiïoöuüyÿAÄEËIÏOÖUÜ"), 0xB4: table("aáeéiíoóuúyýcćnńsśzźAÁEÉIÍOÓUÚCĆNŃSŚZŹ"),
        0x2C6: table("aâeêiîoôuûAÂEÊIÎOÔUÛ"), 0x2DC: table("aãnñoõAÃNÑOÕ"), 0xB8: table("cçsşCÇSŞ"),
        0x2C7: table("cčdďeěnňrřsštťzžCČDĎEĚNŇRŘSŠTŤZŽ"), 0x2DA: table("aåuůAÅUŮ"), 0x2D8: table("aăgğAĂGĞ"),
    ]

    private static func table(_ pairs: String) -> [Unicode.Scalar: String] {
        let letters = Array(pairs.unicodeScalars)
        var table: [Unicode.Scalar: String] = [:]
        for index in stride(from: 0, to: letters.count - 1, by: 2) {
            table[letters[index]] = String(letters[index + 1])
        }
        return table
    }
}
