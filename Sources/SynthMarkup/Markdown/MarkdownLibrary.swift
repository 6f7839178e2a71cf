import CSynthMarkGFM
import Glibc
import Synchronization
import SynthScript

/// libcmark-gfm with its extensions, opened when it is first needed and never closed.
struct MarkdownLibrary: Sendable {
    /// Such as "libcmark-gfm.so.0.29.0.gfm.6".
    let name: String
    let functions: synth_cmark

    /// The versions of Debian 12 and 13, which have the functions and constants that are used in common.
    private static let others = ["0.29.0.gfm.6", "0.29.0.gfm.13"]
    private static let shared = Result { () throws(ScriptError) in try anyVersion() }
    /// The extensions change tables of the library while it parses.
    private static let parsing = Mutex(())

    /// The library of this machine.
    ///
    /// - Throws: `libraryNotLoaded`.
    static func loaded() throws(ScriptError) -> MarkdownLibrary { try shared.get() }

    /// The version that the program was built for, or one of the others.
    ///
    /// - Throws: `libraryNotLoaded` with the name of the former.
    private static func anyVersion() throws(ScriptError) -> MarkdownLibrary {
        do {
            return try MarkdownLibrary(
                core: String(cString: synth_cmark_library), extensions: String(cString: synth_cmark_extensions_library))
        } catch {
            for version in others {
                let (core, extensions) = ("libcmark-gfm.so.\(version)", "libcmark-gfm-extensions.so.\(version)")
                if let library = try? MarkdownLibrary(core: core, extensions: extensions) { return library }
            }
            throw error
        }
    }

    /// - Parameter core, extensions: names as `dlopen` takes them.
    /// - Throws: `libraryNotLoaded`.
    init(core: String, extensions: String) throws(ScriptError) {
        for name in [core, extensions] where dlopen(name, RTLD_NOW | RTLD_LOCAL) == nil {
            throw ScriptError(.libraryNotLoaded(name, dlerror().map { String(cString: $0) }), at: .start)
        }
        var functions = synth_cmark()
        // Opened again, which only counts: a search in the second finds what is in the first, too.
        guard let library = dlopen(extensions, RTLD_NOW | RTLD_LOCAL), synth_cmark_find(library, &functions) else {
            throw ScriptError(.libraryNotLoaded(extensions, nil), at: .start)
        }
        name = core
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

    /// The same as HTML, without what of it is HTML already.
    ///
    /// - Returns: nil if there is no memory.
    func page(_ document: Span<UInt8>) -> [UInt8]? {
        guard let tree = parse(document), let text = functions.render_html(tree.root, CMARK_OPT_DEFAULT, nil) else {
            return nil
        }
        defer { functions.allocator()?.pointee.free(text) }
        return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
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

/// The tree of a document, which it owns. One thread at a time.
final class MarkdownTree {
    let root: OpaquePointer
    private let functions: synth_cmark

    init(root: OpaquePointer, functions: synth_cmark) {
        self.root = root
        self.functions = functions
    }

    deinit { functions.node_free(root) }

    func next(_ node: OpaquePointer) -> OpaquePointer? { functions.node_next(node) }
    func parent(_ node: OpaquePointer) -> OpaquePointer? { functions.node_parent(node) }
    func firstChild(_ node: OpaquePointer) -> OpaquePointer? { functions.node_first_child(node) }

    /// The library's name of what a node is; `other` for those that no rule is about.
    func kind(_ node: OpaquePointer) -> MarkdownKind {
        switch functions.node_type(node) {
        case CMARK_NODE_TEXT: .text
        // The library has no names for these, and no constants for the kinds of its extensions.
        case CMARK_NODE_FOOTNOTE_DEFINITION: .note
        case CMARK_NODE_FOOTNOTE_REFERENCE: .noteReference
        default: functions.node_type_name(node).flatMap { MarkdownKind(rawValue: String(cString: $0)) } ?? .other
        }
    }

    /// The text of a leaf.
    func literal(_ node: OpaquePointer) -> [UInt8] {
        guard let text = functions.node_literal(node) else { return [] }
        return Array(String(cString: text).utf8)
    }

    /// From 0, in lines and bytes; nil where the library knows no place.
    func start(_ node: OpaquePointer) -> (line: Int, column: Int)? {
        let line = functions.node_start_line(node)
        let column = functions.node_start_column(node)
        return line > 0 && column > 0 ? (Int(line) - 1, Int(column) - 1) : nil
    }

    /// The last line, from 0.
    func endLine(_ node: OpaquePointer) -> Int { Int(functions.node_end_line(node)) - 1 }

    /// Whether no empty line stands between the items of a list.
    func isTight(_ list: OpaquePointer) -> Bool { functions.list_tight(list) != 0 }

    /// The number of the first item; nil if the list has none.
    func firstNumber(_ list: OpaquePointer) -> Int? {
        functions.list_type(list) == CMARK_ORDERED_LIST ? Int(functions.list_start(list)) : nil
    }
}

/// What the parts of a document are, by the library's names.
enum MarkdownKind: String {
    case document
    case quote = "block_quote"
    case list
    case item
    case task = "tasklist"
    case codeBlock = "code_block"
    case htmlBlock = "html_block"
    case paragraph
    case heading
    case thematicBreak = "thematic_break"
    case note
    case table
    case headerRow = "table_header"
    case row = "table_row"
    case cell = "table_cell"
    case text
    case softBreak = "softbreak"
    case lineBreak = "linebreak"
    case code
    case html = "html_inline"
    case emphasis = "emph"
    case strong
    case struck = "strikethrough"
    case link
    case image
    case noteReference
    case other

    /// Parts that are left out with all that is in them.
    var isLeftOut: Bool { self == .codeBlock || self == .htmlBlock }
}
