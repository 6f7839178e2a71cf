import CXML
import Documents

/// A tree of elements that libxml2 has read. No file and no server is asked for anything: neither DTDs nor entities from outside.
final class MarkupTree {
    private let document: UnsafeMutablePointer<xmlDoc>

    /// Larger ones are refused: a tree takes about ten times the memory of its text.
    static let largest = 32 << 20

    /// Of XML. Named characters of HTML (`&nbsp;`) are known.
    ///
    /// - Returns: nil = it is not well-formed.
    static func xml(_ bytes: [UInt8]) -> MarkupTree? {
        let bytes = HTMLEntities.replaced(in: bytes)
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOCDATA.rawValue | silent(XML_PARSE_NOERROR, XML_PARSE_NOWARNING)
        return read(bytes) { xmlReadMemory($0, $1, nil, nil, Int32(options)) }
    }

    /// Of HTML, as browsers read it; of XHTML if it says so and is well-formed. What is not UTF-8 says so itself.
    static func page(_ bytes: [UInt8]) -> MarkupTree? {
        let beginning = String(decoding: bytes.prefix(1024), as: UTF8.self)
        if beginning.contains("<?xml") || beginning.contains("http://www.w3.org/1999/xhtml"), let tree = xml(bytes) {
            return tree
        }
        let encoding = String(validating: bytes, as: UTF8.self) == nil ? nil : "UTF-8"
        let options =
            HTML_PARSE_NONET.rawValue | HTML_PARSE_RECOVER.rawValue
            | silent(HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING)
        return read(bytes) { htmlReadMemory($0, $1, nil, encoding, Int32(options)) }
    }

    private static func silent(_ errors: xmlParserOption, _ warnings: xmlParserOption) -> UInt32 {
        errors.rawValue | warnings.rawValue
    }
    private static func silent(_ errors: htmlParserOption, _ warnings: htmlParserOption) -> UInt32 {
        errors.rawValue | warnings.rawValue
    }

    private static func read(
        _ bytes: [UInt8], _ parse: (UnsafePointer<CChar>?, Int32) -> UnsafeMutablePointer<xmlDoc>?
    ) -> MarkupTree? {
        guard bytes.count <= largest, !bytes.isEmpty else { return nil }
        return bytes.withUnsafeBytes { buffer in
            parse(buffer.bindMemory(to: CChar.self).baseAddress, Int32(buffer.count)).map { MarkupTree($0) }
        }
    }

    private init(_ document: UnsafeMutablePointer<xmlDoc>) { self.document = document }

    deinit { xmlFreeDoc(document) }

    /// Valid as long as the tree.
    var root: MarkupNode? { xmlDocGetRootElement(document).map { MarkupNode($0) } }
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

    /// Of a text; nil for anything else.
    var text: String? {
        guard node.pointee.type == XML_TEXT_NODE || node.pointee.type == XML_CDATA_SECTION_NODE else { return nil }
        return Self.text(node.pointee.content)
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

    var children: Children { Children(following: node.pointee.children) }
    var elements: [MarkupNode] { children.filter { $0.name != nil } }

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
                guard let value = xmlNodeListGetString(node.pointee.doc, found.pointee.children, 1) else { return "" }
                defer { synth_xml_free(value) }
                return Self.text(value)
            }
            attribute = found.pointee.next
        }
        return nil
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

    private static func local(_ name: String) -> Substring {
        name.lastIndex(of: ":").map { name[name.index(after: $0)...] } ?? name[...]
    }

    private static func text(_ bytes: UnsafePointer<xmlChar>?) -> String? {
        synth_xml_text(bytes).map { String(cString: $0) }
    }
}

/// The named characters of HTML, which an XML reader does not know without a DTD.
enum HTMLEntities {
    /// The same text with the characters in place of `&name;`, but for the five that XML has itself.
    static func replaced(in bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(UInt8(ascii: "&")) else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += rest[..<mark]
            rest = rest[mark...]
            guard let end = rest.prefix(longestName + 2).firstIndex(of: UInt8(ascii: ";")),
                let scalar = scalar(named: rest[(mark + 1)..<end])
            else {
                result.append(UInt8(ascii: "&"))
                rest = rest.dropFirst()
                continue
            }
            result += Array(String(scalar).utf8)
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    private static let longestName = 32
    private static let ofXML: Set = ["amp", "lt", "gt", "quot", "apos"]

    private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let name = String(decoding: name, as: UTF8.self)
        guard !ofXML.contains(name), !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else {
            return nil
        }
        let value = synth_html_entity(name)
        return value == 0 ? nil : Unicode.Scalar(value)
    }
}
