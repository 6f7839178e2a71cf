import CSynthMarkdown
import Glibc

/// The libmd4c library, which is loaded on first use and never unloaded.
struct MarkdownLibrary: Sendable {
    /// The file name, such as "libmd4c.so.0".
    let name: String
    private let functions: synth_markdown

    private static let shared = Result { () throws(ScriptError) in
        try MarkdownLibrary(
            String(cString: synth_markdown_library), pages: String(cString: synth_markdown_page_library))
    }

    /// Returns the library, which is loaded on the first call.
    ///
    /// - Throws: `libraryNotLoaded`.
    static func loaded() throws(ScriptError) -> MarkdownLibrary { try shared.get() }

    /// - Parameters:
    ///   - name: the library name or path that is passed to `dlopen`.
    ///   - pages: the name of the library that generates HTML.
    /// - Throws: `libraryNotLoaded`.
    init(_ name: String, pages: String) throws(ScriptError) {
        var opened: [UnsafeMutableRawPointer] = []
        for name in [name, pages] {
            guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
                throw ScriptError(.libraryNotLoaded(name, dlerror().map { String(cString: $0) }), at: .start)
            }
            opened.append(library)
        }
        var functions = synth_markdown()
        guard synth_markdown_find(opened[0], opened[1], &functions) else {
            throw ScriptError(.libraryNotLoaded(name, nil), at: .start)
        }
        self.name = name
        self.functions = functions
    }

    /// Parses a document and records all events.
    ///
    /// - Throws: `unexpected` if the result would be far larger than the source; `tooLong` if there is not enough
    ///   memory.
    func tape(of source: MarkdownSource, document: Span<UInt8>) throws(ScriptError) -> MarkdownTape {
        var parser = MD_PARSER()
        parser.flags = UInt32(MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS)
        parser.enter_block = { kind, detail, data in
            guard let block = MarkdownEvent.Block(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) else { return 0 }
            return Self.recorder(data)?.enter(block, detail) ?? -1
        }
        parser.leave_block = { kind, _, data in
            if let block = MarkdownEvent.Block(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) {
                Self.recorder(data)?.tape.leave(block)
            }
            return 0
        }
        parser.enter_span = { kind, detail, data in
            guard let span = MarkdownEvent.Span(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) else { return 0 }
            return Self.recorder(data)?.begin(span, detail) ?? -1
        }
        parser.leave_span = { kind, _, data in
            if let span = MarkdownEvent.Span(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) {
                Self.recorder(data)?.tape.end(span)
            }
            return 0
        }
        parser.text = { kind, text, count, data in
            if let kind = MarkdownEvent.Text(rawValue: UInt8(truncatingIfNeeded: kind.rawValue)) {
                Self.recorder(data)?.text(kind, at: UInt(bitPattern: text), count: Int(count))
            }
            return 0
        }
        let (recorder, isRead) = source.withBytes(of: document) { text in
            let recorder = MarkdownRecorder(source, at: UInt(bitPattern: text.baseAddress))
            let count = UInt32(text.count)
            let code = withExtendedLifetime(recorder) {
                functions.parse(text.baseAddress, count, &parser, Unmanaged.passUnretained(recorder).toOpaque())
            }
            return (recorder, code == 0)
        }
        if let refusal = recorder.refusal {
            throw ScriptError(refusal.reason, at: ScriptPosition(of: refusal.offset, in: document))
        }
        guard isRead else { throw ScriptError(.tooLong(limit: document.count), at: .start) }
        return recorder.tape
    }

    private static func recorder(_ data: UnsafeMutableRawPointer?) -> MarkdownRecorder? {
        data.map { Unmanaged<MarkdownRecorder>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Renders a short document to HTML.
    func page(_ document: [UInt8]) -> [UInt8] {
        var page: [UInt8] = []
        document.withUnsafeBytes { text in
            withUnsafeMutablePointer(to: &page) { page in
                _ = functions.page(
                    text.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(text.count),
                    { text, count, page in
                        guard let text, let page else { return }
                        page.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeRawBufferPointer(
                            start: text, count: Int(count))
                    }, page, 0, 0)
            }
        }
        return page
    }
}

/// Resolves character references such as `&amp;` and `&#38;`. Names are resolved by libmd4c-html and cached.
struct MarkdownEntities {
    /// The maximum length of a reference in bytes. The longest entity name in HTML has 31 letters.
    static let longest = 34

    private let library: MarkdownLibrary
    private var known: [[UInt8]: [UInt8]] = [:]

    init(_ library: MarkdownLibrary) { self.library = library }

    /// - Parameter reference: the reference, from the ampersand to the semicolon.
    /// - Returns: the characters, or nil if the name is unknown.
    mutating func meaning(of reference: [UInt8]) -> [UInt8]? {
        guard reference.count > 3, reference[0] == UInt8(ascii: "&"), reference.last == UInt8(ascii: ";") else {
            return nil
        }
        let name = reference.dropFirst().dropLast()
        if name.first == UInt8(ascii: "#") { return Self.character(name.dropFirst()) }
        guard reference.count <= Self.longest, name.allSatisfy(Self.isOfName) else { return nil }
        if let known = known[reference] { return known.isEmpty ? nil : known }
        let meaning = Self.unescaped(library.page(reference))
        known[reference] = meaning == reference ? [] : meaning
        return meaning == reference ? nil : meaning
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func character(_ number: ArraySlice<UInt8>) -> [UInt8]? {
        let isHex = number.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        let digits = String(decoding: isHex ? number.dropFirst() : number, as: UTF8.self)
        guard (1...8).contains(digits.utf8.count), digits.utf8.first != UInt8(ascii: "+"),
            let value = UInt32(digits, radix: isHex ? 16 : 10)
        else { return nil }
        let scalar = value == 0 ? nil : Unicode.Scalar(value)
        return Array(String(scalar ?? "\u{FFFD}").utf8)
    }

    /// Returns the text of an HTML page that consists of one paragraph.
    private static func unescaped(_ page: [UInt8]) -> [UInt8] {
        let text = String(decoding: page, as: UTF8.self)
        guard text.hasPrefix("<p>"), let end = text.firstRange(of: "</p>") else { return [] }
        var words = Array(text[..<end.lowerBound].dropFirst(3).utf8)
        for (reference, sign) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        where words.starts(with: reference.utf8) {
            words.replaceSubrange(..<reference.utf8.count, with: sign.utf8)
            break
        }
        return words
    }
}
