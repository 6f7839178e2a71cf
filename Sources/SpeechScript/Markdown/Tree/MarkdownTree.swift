import CMarkGFM

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
