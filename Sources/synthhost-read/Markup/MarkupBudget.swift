import CSynthXML
import SynthDocuments

/// Stops libxml2 when the markup exceeds limits that no real document reaches. Without these limits, parsing could take
/// minutes.
final class MarkupLimits {
    /// The maximum number of attributes per element. libxml2 compares every attribute with all other attributes of the
    /// element.
    static let maximumAttributes = 256
    /// The maximum number of namespaces in scope. libxml2 searches all of them for each prefix.
    private static let maximumNamespaces = 256
    /// The maximum number of declared attributes. libxml2 adds all attributes declared for an element type to each
    /// element of that type.
    private static let maximumDeclaredAttributes = 1000

    private(set) var excess: (DocumentFailure.ExceededLimit.Kind, limit: Int, line: Int)?
    private var declared = 0

    /// - Parameter context: the parser context, which must not be used after this object is released.
    func watch(_ context: xmlParserCtxtPtr) {
        context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        guard let handler = context.pointee.sax else { return }
        handler.pointee.startElementNs = {
            context, name, prefix, address, namespaces, found, attributes, defaulted, list in
            let limits = MarkupLimits.of(context)
            limits?.check(Int(attributes), .attributes, MarkupLimits.maximumAttributes, context)
            if namespaces > 0 { limits?.checkNamespaces(Int(namespaces), context) }
            if limits?.excess != nil { return }
            xmlSAX2StartElementNs(context, name, prefix, address, namespaces, found, attributes, defaulted, list)
        }
        handler.pointee.startElement = { context, name, list in
            var count = 0
            while count <= 2 * MarkupLimits.maximumAttributes, list?[count] != nil { count += 2 }
            let limits = MarkupLimits.of(context)
            limits?.check(count / 2, .attributes, MarkupLimits.maximumAttributes, context)
            if limits?.excess == nil { xmlSAX2StartElement(context, name, list) }
        }
        handler.pointee.attributeDecl = { context, element, name, kind, preset, value, tree in
            guard let limits = MarkupLimits.of(context) else { return xmlFreeEnumeration(tree) }
            limits.declared += 1
            limits.check(limits.declared, .attributes, MarkupLimits.maximumDeclaredAttributes, context)
            guard limits.excess == nil else { return xmlFreeEnumeration(tree) }
            xmlSAX2AttributeDecl(context, element, name, kind, preset, value, tree)
        }
        handler.pointee.entityDecl = { context, name, kind, address, system, content in
            let length = content.map { Int(xmlStrlen($0)) } ?? 0
            let bytes = Array(UnsafeBufferPointer(start: content, count: length))
            if TagScan.lineOfExcess(in: bytes) != nil {
                MarkupLimits.of(context)?.check(Int.max, .attributes, MarkupLimits.maximumAttributes, context)
            } else {
                xmlSAX2EntityDecl(context, name, kind, address, system, content)
            }
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MarkupLimits? {
        context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private.map {
            Unmanaged<MarkupLimits>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private func check(
        _ count: Int, _ kind: DocumentFailure.ExceededLimit.Kind, _ most: Int, _ context: UnsafeMutableRawPointer?
    ) {
        guard count > most, excess == nil else { return }
        excess = (kind, most, max(0, Int(xmlSAX2GetLineNumber(context))))
        xmlStopParser(context?.assumingMemoryBound(to: xmlParserCtxt.self))
    }

    private func checkNamespaces(_ own: Int, _ context: UnsafeMutableRawPointer?) {
        var count = own
        var node = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee.node
        while let element = node, count <= Self.maximumNamespaces {
            // The document node above the root element has no namespaces.
            var namespace = element.pointee.type == XML_ELEMENT_NODE ? element.pointee.nsDef : nil
            while let found = namespace, count <= Self.maximumNamespaces {
                count += 1
                namespace = found.pointee.next
            }
            node = element.pointee.parent
        }
        check(count, .namespaces, Self.maximumNamespaces, context)
    }
}

/// Limits the amount of text extracted from a tree's attributes and entities, because a small input can expand to a
/// huge output.
final class MarkupBudget {
    /// The limit in bytes.
    let most: Int
    private var left: Int
    private(set) var lineOfExcess: Int?

    /// Allows 1 MiB plus four times the size of the file, because attributes are read several times.
    init(ofFile bytes: Int) {
        most = 4 * bytes + 1 << 20
        left = most
    }

    /// The maximum nesting depth. Entities that are nested more deeply are recursive or meaningless.
    private static let deepest = 40
    /// The cost of a node in bytes, in addition to its text.
    private static let ofNode = 16

    /// Appends the text of a node and, unless `alone` is true, of the siblings after it.
    func append(
        _ first: UnsafeMutablePointer<xmlNode>, alone: Bool = false, to bytes: inout [UInt8], at line: Int,
        depth: Int = 0
    ) {
        var next: UnsafeMutablePointer<xmlNode>? = first
        while let node = next, depth <= Self.deepest, lineOfExcess == nil {
            switch node.pointee.type {
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                let length = node.pointee.content.map { Int(xmlStrlen($0)) } ?? 0
                guard spend(length, line) else { return }
                bytes += UnsafeBufferPointer(start: node.pointee.content, count: length)
            case let type:
                guard spend(0, line) else { return }
                let entity = type == XML_ENTITY_REF_NODE ? xmlGetDocEntity(node.pointee.doc, node.pointee.name) : nil
                let inner = type == XML_ENTITY_REF_NODE ? entity?.pointee.children : node.pointee.children
                if let inner { append(inner, to: &bytes, at: line, depth: depth + 1) }
            }
            next = alone ? nil : node.pointee.next
        }
    }

    private func spend(_ length: Int, _ line: Int) -> Bool {
        left -= length + Self.ofNode
        if left < 0, lineOfExcess == nil { lineOfExcess = line }
        return left >= 0
    }
}

/// Detects tags that have too many attributes for libxml2, which compares every attribute with all other attributes of
/// the element. In HTML, libxml2 also merges the attributes of a repeated outermost element, such as `body`, into the
/// first element of that name.
///
/// The scan cannot recognize comments or scripts, so it considers every position at which a tag may start. It tracks
/// all of these possible tags in parallel: for each state of a tag parser, it stores the maximum number of attributes
/// that a tag in that state may have so far. The result is never lower than the number of attributes that libxml2
/// finds. Real pages are far below the limit, even if the scan treats a script as a tag.
enum TagScan {
    /// The maximum number of attributes per tag. `MarkupLimits` sets a lower limit per element, but libxml2 may compare
    /// up to `most` attributes once before that limit takes effect.
    private static let most = 30_000
    /// The weight of an attribute. Each byte of its name adds 1, because libxml2 splits long names into several
    /// attributes.
    private static let weight = 64

    /// Returns the line of the first tag with too many attributes.
    static func lineOfExcess(in bytes: [UInt8]) -> Int? {
        guard bytes.count > most, let place = bytes.withUnsafeBufferPointer({ place(in: $0) }) else { return nil }
        return 1 + bytes[..<place].count { $0 == UInt8(ascii: "\n") }
    }

    private enum Class {
        case letter, digit, blank, end, equals, double, single, start, slash, other
    }

    private static let classes: [Class] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "."):
            .letter
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): .digit
        case 9, 10, 12, 13, 32: .blank
        case UInt8(ascii: ">"): .end
        case UInt8(ascii: "="): .equals
        case UInt8(ascii: "\""): .double
        case UInt8(ascii: "'"): .single
        case UInt8(ascii: "<"): .start
        case UInt8(ascii: "/"): .slash
        default: .other
        }
    }

    /// The weight of the heaviest tag in each parser state, or a negative number if no tag is in that state.
    private struct States {
        /// The states between attributes, in a name, in an invalid name, after a name (where `=` may follow), and
        /// before a value.
        var (between, name, odd, after, value) = (-1, -1, -1, -1, -1)
        /// The states in a double-quoted, a single-quoted and an unquoted value.
        var (double, single, bare) = (-1, -1, -1)

        var isEmpty: Bool {
            max(max(between, name), max(odd, after), max(value, double), max(single, bare)) < 0
        }

        /// The maximum weight among states in which another attribute may start.
        private var outside: Int { max(between, after) }
        private func more(_ held: Int) -> Int { held < 0 ? -1 : held + weight }
        private func longer(_ held: Int) -> Int { held < 0 ? -1 : held + 1 }

        mutating func take(_ kind: Class) {
            switch kind {
            case .blank:
                (between, after) = (max(between, odd, bare), max(after, name, odd))
                (name, odd, bare) = (-1, -1, -1)
            case .end: (between, name, odd, after, value, bare) = (-1, -1, -1, -1, -1, -1)
            case .equals:
                let begun = more(between)
                (bare, value) = (max(bare, value), max(name, after, odd))
                (odd, between, name, after) = (max(odd, begun), -1, -1, -1)
            case .letter:
                (name, odd, bare) = (max(longer(name), more(outside)), longer(odd), max(bare, value))
                (between, after, value) = (-1, -1, -1)
            case .digit:
                (name, odd, bare) = (longer(name), max(longer(odd), more(outside)), max(bare, value))
                (between, after, value) = (-1, -1, -1)
            case .slash:
                (odd, bare) = (max(longer(odd), more(name)), max(bare, value))
                (name, value) = (-1, -1)
            case .double, .single:
                let (opened, begun) = (value, max(longer(odd), more(max(outside, name))))
                let closed = kind == .double ? double : single
                if kind == .double { double = opened } else { single = opened }
                (between, name, after, value, odd) = (closed, -1, -1, -1, begun)
            case .start, .other:
                (odd, bare) = (max(longer(odd), more(max(outside, name))), max(bare, value))
                (between, name, after, value) = (-1, -1, -1, -1)
            }
        }

        mutating func begin() { name = max(name, weight) }
        var heaviest: Int { max(max(name, odd), max(between, after)) }
    }

    private static let maximumOutermost = 1000

    private static func isOutermost(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        ["html", "body"].contains { name.elementsEqual($0.utf8) { $0 | 0x20 == $1 } }
    }

    private static func place(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var states = States()
        var follows = false
        var outermost = 0
        for (place, byte) in bytes.enumerated() {
            let isStart = byte == UInt8(ascii: "<")
            if states.isEmpty, !isStart, !follows { continue }
            states.take(classes[Int(byte)])
            // In XML, names may also start with non-ASCII letters.
            if follows, byte >= 0x80 || classes[Int(byte)] == .letter {
                states.begin()
                if isOutermost(bytes[place...].prefix(4)) { outermost += 1 }
                if outermost > maximumOutermost { return place }
            }
            follows = isStart
            if states.heaviest > most * weight { return place }
        }
        return nil
    }
}
