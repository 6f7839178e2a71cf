import CMarkGFM
import Glibc
import Synchronization

/// libcmark-gfm with its extensions, opened when it is first needed and never closed.
struct MarkdownLibrary: Sendable {
    let functions: synth_cmark

    private static let shared = Result { () throws(MarkdownError) in
        try MarkdownLibrary(
            core: String(cString: synth_cmark_library), extensions: String(cString: synth_cmark_extensions_library))
    }
    /// The extensions change tables of the library while it parses.
    private static let parsing = Mutex(())

    /// The library of this machine.
    ///
    /// - Throws: `libraryNotLoaded`.
    static func loaded() throws(MarkdownError) -> MarkdownLibrary { try shared.get() }

    /// - Parameter core, extensions: names as `dlopen` takes them.
    /// - Throws: `libraryNotLoaded`.
    init(core: String, extensions: String) throws(MarkdownError) {
        for name in [core, extensions] where dlopen(name, RTLD_NOW | RTLD_LOCAL) == nil {
            throw .libraryNotLoaded(library: name, reason: dlerror().map { String(cString: $0) })
        }
        var functions = synth_cmark()
        // Opened again, which only counts: a search in the second finds what is in the first, too.
        guard let library = dlopen(extensions, RTLD_NOW | RTLD_LOCAL), synth_cmark_find(library, &functions) else {
            throw .libraryNotLoaded(library: extensions, reason: nil)
        }
        self.functions = functions
        Self.parsing.withLock { _ in functions.register_extensions() }
    }

    /// - Parameter document: UTF-8.
    /// - Returns: nil if the library makes no tree, which it does only without memory.
    func parse(_ document: Span<UInt8>) -> MarkdownTree? {
        let functions = functions
        let root = document.withUnsafeBytes { bytes in
            let text = UInt(bitPattern: bytes.baseAddress)
            let count = bytes.count
            return Self.parsing.withLock { _ in UInt(bitPattern: Self.root(functions, text, count)) }
        }
        return OpaquePointer(bitPattern: root).map { MarkdownTree(root: $0, functions: functions) }
    }

    /// Addresses, because no pointer may leave the lock.
    private static func root(_ functions: synth_cmark, _ text: UInt, _ count: Int) -> OpaquePointer? {
        guard let parser = functions.parser_new(CMARK_OPT_SOURCEPOS | CMARK_OPT_FOOTNOTES) else { return nil }
        defer { functions.parser_free(parser) }
        for name in ["table", "strikethrough", "tasklist"] {
            guard let found = functions.find_extension(name) else { continue }
            _ = functions.attach_extension(parser, found)
        }
        if count > 0 { functions.parser_feed(parser, UnsafePointer(bitPattern: text), count) }
        return functions.parser_finish(parser)
    }
}
