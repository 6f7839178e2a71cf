import CSynthXML
import SynthDocuments

/// A tree of elements that libxml2 has read. No file and no server is asked for anything: neither DTDs nor entities from outside.
final class MarkupTree {
    private let document: UnsafeMutablePointer<xmlDoc>
    private let budget: MarkupBudget
    private let member: String?

    /// Larger ones are refused: a tree takes about ten times the memory of its text.
    static let largest = 32 << 20

    /// Reads XML. Named characters of HTML (`&nbsp;`) are known.
    ///
    /// - Parameter member: the name of the file in its book, for errors.
    /// - Returns: nil = it is not well-formed.
    /// - Throws: `excessive`.
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

    /// Reads HTML as browsers do; XHTML if it says so and is well-formed.
    ///
    /// - Parameter member: the name of the file in its book, for errors.
    /// - Throws: `excessive`.
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
        // A byte of most encodings becomes at most three bytes of UTF-8.
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
            throw .excessive(Excess(kind, limit: limit, member: member, line: line))
        }
        return tree
    }

    /// Returns what libxml2 may read. `TagScan` may take a minified script for a huge tag, so scripts are removed before a second scan.
    /// libxml2 gets the text that passed, so a hidden tag cannot reach it.
    private static func scanned(_ text: MarkupText, _ member: String?) throws(DocumentFailure) -> [UInt8] {
        guard TagScan.lineOfExcess(in: text.bytes) != nil else { return text.bytes }
        let bytes = text.withoutScripts.bytes
        if let line = TagScan.lineOfExcess(in: bytes) {
            throw .excessive(Excess(.attributes, limit: MarkupLimits.mostAttributes, member: member, line: line))
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

    /// Valid as long as the tree.
    var root: MarkupNode? { xmlDocGetRootElement(document).map { MarkupNode($0) } }

    /// To be called once all is taken out of the tree that is wanted.
    ///
    /// - Throws: `excessive` if less came out of it than is in it, because that is too much.
    func checkBudget() throws(DocumentFailure) {
        guard let line = budget.lineOfExcess else { return }
        throw .excessive(Excess(.text, limit: budget.most, member: member, line: line))
    }

    private typealias Excess = DocumentFailure.Excess
}

/// An element, or a text, of a tree.
struct MarkupNode {
    private let node: UnsafeMutablePointer<xmlNode>

    init(_ node: UnsafeMutablePointer<xmlNode>) { self.node = node }

    /// In lower case, without a prefix; nil = it is no element.
    var name: String? {
        guard node.pointee.type == XML_ELEMENT_NODE else { return nil }
        return Self.text(node.pointee.name).map { Self.local($0).lowercased() }
    }

    /// Of a text, or of an entity that stands for one; nil for anything else.
    var text: String? {
        switch node.pointee.type {
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: Self.text(node.pointee.content)
        case XML_ENTITY_REF_NODE: expanded(node, alone: true)
        default: nil
        }
    }

    /// From 1; 0 = not known.
    var line: Int { max(0, Int(xmlGetLineNo(node))) }

    /// What it is inside of, up to but without `top`, the nearest first.
    func ancestors(within top: MarkupNode) -> [MarkupNode] {
        var found: [MarkupNode] = []
        var next = node.pointee.parent
        while let parent = next, parent != top.node {
            found.append(MarkupNode(parent))
            next = parent.pointee.parent
        }
        return found
    }

    /// None of an entity, which is a text.
    var children: Children {
        Children(following: node.pointee.type == XML_ENTITY_REF_NODE ? nil : node.pointee.children)
    }
    var elements: [MarkupNode] { children.filter { $0.name != nil } }

    /// The node after it in its parent.
    var next: MarkupNode? { node.pointee.next.map { MarkupNode($0) } }
    /// The element before it in its parent.
    var previousElement: MarkupNode? {
        var place = node.pointee.prev
        while let found = place, found.pointee.type != XML_ELEMENT_NODE { place = found.pointee.prev }
        return place.map { MarkupNode($0) }
    }
    /// Whether its parent has no other element, but for the columns of a table.
    var isOnlyElement: Bool {
        if let previous = previousElement, previous.name != "colgroup" { return false }
        var place = node.pointee.next
        while let found = place, found.pointee.type != XML_ELEMENT_NODE { place = found.pointee.next }
        return place == nil
    }
    /// The element that it is in.
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

    /// The value of an attribute by its name without a prefix.
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

    /// The attributes with values, by their names in lower case without prefixes; the first of two with one name counts.
    func forEachAttribute(_ body: (Substring, () -> String) -> Void) {
        var attribute = node.pointee.type == XML_ELEMENT_NODE ? node.pointee.properties : nil
        while let found = attribute {
            if let own = Self.text(found.pointee.name) {
                body(Self.local(own.lowercased())) { found.pointee.children.map { expanded($0) } ?? "" }
            }
            attribute = found.pointee.next
        }
    }

    /// Whether one of the words of an attribute is among these.
    func attribute(_ name: String, hasOneOf words: Set<String>) -> Bool {
        attribute(name)?.lowercased().split(whereSeparator: \.isWhitespace).contains { words.contains(String($0)) }
            ?? false
    }

    /// All of its text, spaces single.
    var words: String {
        var all: [String] = []
        visit { node in
            if let text = node.text { all.append(text) }
            return true
        }
        return all.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The same of an element that holds little, as the mark of a note does; nil = it holds more. Nested ones are not read again and
    /// again.
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

    /// The elements of a name below it, in order.
    func descendants(_ name: String) -> [MarkupNode] {
        var found: [MarkupNode] = []
        visit { node in
            if node.name == name { found.append(node) }
            return true
        }
        return found
    }

    /// Itself and all below, in order; false = not what is below this one. Without recursion, as deep as a hostile tree may be.
    func visit(_ body: (MarkupNode) -> Bool) {
        var stack = [self]
        while let node = stack.popLast() {
            guard body(node) else { continue }
            stack.append(contentsOf: Array(node.children).reversed())
        }
    }

    /// The text of a list of nodes, with what entities stand for, within the budget of the tree.
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
