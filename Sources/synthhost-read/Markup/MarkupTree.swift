import CSynthXML
import SynthDocuments

/// An element tree parsed by libxml2. No files or servers are accessed, so DTDs and external entities are not loaded.
final class MarkupTree {
    private let document: UnsafeMutablePointer<xmlDoc>
    private let budget: MarkupBudget
    private let member: String?

    /// The maximum size in bytes. A tree takes up about ten times as much memory as its text.
    static let largest = 32 << 20

    /// Parses XML. HTML's named character references, such as `&nbsp;`, are supported.
    ///
    /// - Parameter member: the file's name in its book, for error messages.
    /// - Returns: nil if the text is not well-formed.
    /// - Throws: `excessive` if the markup exceeds a limit.
    static func xml(
        _ bytes: [UInt8], _ member: String? = nil, onFault: (Int, String) -> Void = { _, _ in }
    ) throws(DocumentFailure) -> MarkupTree? {
        guard bytes.count <= largest else { return nil }
        return try xml(MarkupText(bytes, isXML: true), member, onFault)
    }

    private static func xml(
        _ text: MarkupText, _ member: String?, _ onFault: (Int, String) -> Void = { _, _ in }
    ) throws(DocumentFailure) -> MarkupTree? {
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        return try read(text.withoutNames, member, xmlNewParserCtxt(), xmlFreeParserCtxt) { context, bytes, count in
            let document = xmlCtxtReadMemory(context, bytes, count, nil, "UTF-8", Int32(options))
            if document == nil, let fault = xmlCtxtGetLastError(context), let message = fault.pointee.message {
                onFault(max(0, Int(fault.pointee.line)), String(cString: message).trimmed(\.isWhitespace))
            }
            return document
        }
    }

    /// Parses HTML as browsers do, or as XHTML if it is declared as such and well-formed.
    ///
    /// - Parameter member: the file's name in its book, for error messages.
    /// - Throws: `excessive` if the markup exceeds a limit.
    static func page(_ bytes: [UInt8], _ member: String? = nil) throws(DocumentFailure) -> MarkupTree? {
        guard bytes.count <= largest else { return nil }
        let text = MarkupText(bytes)
        if text.claimsXML, let tree = try xml(text, member) { return tree }
        let options =
            HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
            | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        return try read(text, member, htmlNewParserCtxt(), htmlFreeParserCtxt) { context, bytes, count in
            htmlCtxtReadMemory(context, bytes, count, nil, "UTF-8", Int32(options))
        }
    }

    private static func read(
        _ whole: MarkupText, _ member: String?, _ context: xmlParserCtxtPtr?, _ free: (xmlParserCtxtPtr?) -> Void,
        _ parse: (xmlParserCtxtPtr, UnsafePointer<CChar>?, Int32) -> UnsafeMutablePointer<xmlDoc>?
    ) throws(DocumentFailure) -> MarkupTree? {
        defer { free(context) }
        // In most encodings, a byte becomes at most three bytes of UTF-8.
        guard let context, whole.bytes.count <= 3 * largest, !whole.bytes.isEmpty else { return nil }
        let bytes = try scanned(whole, member)
        let limits = MarkupLimits()
        let document = withExtendedLifetime(limits) {
            limits.watch(context)
            return bytes.withUnsafeBytes { buffer in
                parse(context, buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count))
            }
        }
        let tree = document.map { MarkupTree($0, MarkupBudget(ofFile: bytes.count), member) }
        if let (kind, limit, line) = limits.excess {
            throw .excessive(ExceededLimit(kind, limit: limit, member: member, line: line))
        }
        return tree
    }

    /// Returns text that is safe for libxml2. `TagScan` may treat a minified script as a huge tag, so if the scan
    /// fails, it is repeated without scripts. libxml2 receives exactly the text that passed the scan, so no tag can be
    /// hidden from the scan.
    private static func scanned(_ text: MarkupText, _ member: String?) throws(DocumentFailure) -> [UInt8] {
        guard TagScan.lineOfExcess(in: text.bytes) != nil else { return text.bytes }
        let bytes = text.withoutScripts.bytes
        if let line = TagScan.lineOfExcess(in: bytes) {
            throw .excessive(
                ExceededLimit(.attributes, limit: MarkupLimits.maximumAttributes, member: member, line: line))
        }
        return bytes
    }

    private init(_ document: UnsafeMutablePointer<xmlDoc>, _ budget: MarkupBudget, _ member: String?) {
        self.document = document
        self.budget = budget
        self.member = member
        document.pointee._private = Unmanaged.passUnretained(budget).toOpaque()
    }

    deinit { xmlFreeDoc(document) }

    /// The root element. Valid only while the tree exists.
    var root: MarkupNode? { xmlDocGetRootElement(document).map { MarkupNode($0) } }

    /// Checks whether any content was omitted. Call this after reading from the tree.
    ///
    /// - Throws: `excessive` if content was omitted because it exceeded the budget.
    func checkBudget() throws(DocumentFailure) {
        guard let line = budget.lineOfExcess else { return }
        throw .excessive(ExceededLimit(.text, limit: budget.most, member: member, line: line))
    }

    private typealias ExceededLimit = DocumentFailure.ExceededLimit
}

/// A node of a tree: an element or text.
struct MarkupNode {
    private let node: UnsafeMutablePointer<xmlNode>

    init(_ node: UnsafeMutablePointer<xmlNode>) { self.node = node }

    /// The element's name in lowercase without a prefix, or nil for other nodes.
    var name: String? {
        guard node.pointee.type == XML_ELEMENT_NODE else { return nil }
        return Self.text(node.pointee.name).map { Self.local($0).lowercased() }
    }

    /// The content of a text node or entity reference, or nil for other nodes.
    var text: String? {
        switch node.pointee.type {
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: Self.text(node.pointee.content)
        case XML_ENTITY_REF_NODE: expanded(node, alone: true)
        default: nil
        }
    }

    /// The line number, starting at 1, or 0 if it is unknown.
    var line: Int { max(0, Int(xmlGetLineNo(node))) }

    /// Returns the enclosing elements up to but not including `top`, innermost first.
    func ancestors(within top: MarkupNode) -> [MarkupNode] {
        var found: [MarkupNode] = []
        var next = node.pointee.parent
        while let parent = next, parent != top.node {
            found.append(MarkupNode(parent))
            next = parent.pointee.parent
        }
        return found
    }

    /// The child nodes. Entity references have none, because they are treated as text.
    var children: Children {
        Children(following: node.pointee.type == XML_ENTITY_REF_NODE ? nil : node.pointee.children)
    }
    var elements: [MarkupNode] { children.filter { $0.name != nil } }

    /// Returns the first child element with this name.
    func child(_ name: String) -> MarkupNode? { children.first { $0.name == name } }

    /// Returns the text of the first child element with this name, or nil if there is none.
    func words(of name: String) -> String? { child(name).map(\.words).flatMap { $0.isEmpty ? nil : $0 } }

    /// The next sibling.
    var next: MarkupNode? { node.pointee.next.map { MarkupNode($0) } }
    /// The previous sibling element.
    var previousElement: MarkupNode? {
        var position = node.pointee.prev
        while let found = position, found.pointee.type != XML_ELEMENT_NODE { position = found.pointee.prev }
        return position.map { MarkupNode($0) }
    }
    /// Whether the node is the only child element, ignoring table columns.
    var isOnlyElement: Bool {
        if let previous = previousElement, previous.name != "colgroup" { return false }
        var position = node.pointee.next
        while let found = position, found.pointee.type != XML_ELEMENT_NODE { position = found.pointee.next }
        return position == nil
    }
    var parent: MarkupNode? {
        node.pointee.parent.flatMap { $0.pointee.type == XML_ELEMENT_NODE ? MarkupNode($0) : nil }
    }

    struct Children: Sequence, IteratorProtocol {
        fileprivate var following: UnsafeMutablePointer<xmlNode>?

        mutating func next() -> MarkupNode? {
            guard let node = following else { return nil }
            following = node.pointee.next
            return MarkupNode(node)
        }
    }

    /// Returns the value of the attribute with this name, ignoring prefixes.
    func attribute(_ name: String) -> String? {
        var attribute = node.pointee.type == XML_ELEMENT_NODE ? node.pointee.properties : nil
        while let found = attribute {
            if let own = Self.text(found.pointee.name), Self.local(own).lowercased() == name {
                return found.pointee.children.map { expanded($0) } ?? ""
            }
            attribute = found.pointee.next
        }
        return nil
    }

    /// Calls `body` for each attribute. Passes the attribute's name in lowercase without a prefix, and a closure that
    /// returns the value.
    func forEachAttribute(_ body: (Substring, () -> String) -> Void) {
        var attribute = node.pointee.type == XML_ELEMENT_NODE ? node.pointee.properties : nil
        while let found = attribute {
            if let own = Self.text(found.pointee.name) {
                body(Self.local(own.lowercased())) { found.pointee.children.map { expanded($0) } ?? "" }
            }
            attribute = found.pointee.next
        }
    }

    /// Whether the attribute contains one of these words.
    func attribute(_ name: String, hasOneOf words: Set<String>) -> Bool {
        attribute(name)?.lowercased().split(whereSeparator: \.isWhitespace).contains { words.contains(String($0)) }
            ?? false
    }

    /// The element's text, with each run of white space reduced to one space.
    var words: String {
        var all: [String] = []
        visit { node in
            if let text = node.text { all.append(text) }
            return true
        }
        return all.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The text of an element with little content, such as a footnote reference, or nil if the element has more. The
    /// limit prevents nested elements from being read repeatedly.
    var fewWords: String? {
        var (stack, text, visited) = ([self], "", 0)
        while let node = stack.popLast() {
            visited += 1
            text += node.text ?? ""
            guard visited <= Self.fewNodes, text.utf8.count <= Self.fewBytes else { return nil }
            stack.append(contentsOf: node.children.prefix(Self.fewNodes).reversed())
        }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let fewNodes = 64
    private static let fewBytes = 256

    /// Returns the descendant elements with this name, in document order.
    func descendants(_ name: String) -> [MarkupNode] {
        var found: [MarkupNode] = []
        visit { node in
            if node.name == name { found.append(node) }
            return true
        }
        return found
    }

    /// Visits the node and its descendants in document order. `body` returns false to skip the descendants. The
    /// traversal is not recursive, because a malicious tree may be very deep.
    func visit(_ body: (MarkupNode) -> Bool) {
        var stack = [self]
        while let node = stack.popLast() {
            guard body(node) else { continue }
            stack.append(contentsOf: Array(node.children).reversed())
        }
    }

    /// Returns the text of a list of nodes with entities expanded, within the tree's budget.
    private func expanded(_ first: UnsafeMutablePointer<xmlNode>, alone: Bool = false) -> String {
        guard let own = node.pointee.doc?.pointee._private else { return "" }
        let budget = Unmanaged<MarkupBudget>.fromOpaque(own).takeUnretainedValue()
        var bytes: [UInt8] = []
        budget.append(first, alone: alone, to: &bytes, at: line)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func local(_ name: String) -> Substring {
        name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String? {
        synth_xml_text(bytes).map { String(cString: $0) }
    }
}
