import CSynthXML
import SynthDocuments

/// Stops libxml2 at an element that no real document has, before it takes minutes for the rest.
final class MarkupLimits {
    /// Of an element. Each is compared with all others.
    static let mostAttributes = 256
    /// In force at a place of a document. Each prefix is looked for among all of them.
    private static let mostNamespaces = 256
    /// That a document declares for its elements, each of which gets all of its kind.
    private static let mostDeclared = 1000

    private(set) var excess: (DocumentFailure.Excess.Kind, limit: Int, line: Int)?
    private var declared = 0

    /// - Parameter context: used only as long as this value is there.
    func watch(_ context: xmlParserCtxtPtr) {
        context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        guard let handler = context.pointee.sax else { return }
        handler.pointee.startElementNs = {
            context, name, prefix, address, namespaces, found, attributes, defaulted, list in
            let limits = MarkupLimits.of(context)
            limits?.check(Int(attributes), .attributes, MarkupLimits.mostAttributes, context)
            if namespaces > 0 { limits?.checkNamespaces(Int(namespaces), context) }
            if limits?.excess != nil { return }
            xmlSAX2StartElementNs(context, name, prefix, address, namespaces, found, attributes, defaulted, list)
        }
        handler.pointee.startElement = { context, name, list in
            var count = 0
            while count <= 2 * MarkupLimits.mostAttributes, list?[count] != nil { count += 2 }
            let limits = MarkupLimits.of(context)
            limits?.check(count / 2, .attributes, MarkupLimits.mostAttributes, context)
            if limits?.excess == nil { xmlSAX2StartElement(context, name, list) }
        }
        handler.pointee.attributeDecl = { context, element, name, kind, preset, value, tree in
            guard let limits = MarkupLimits.of(context) else { return xmlFreeEnumeration(tree) }
            limits.declared += 1
            limits.check(limits.declared, .attributes, MarkupLimits.mostDeclared, context)
            guard limits.excess == nil else { return xmlFreeEnumeration(tree) }
            xmlSAX2AttributeDecl(context, element, name, kind, preset, value, tree)
        }
        handler.pointee.entityDecl = { context, name, kind, address, system, content in
            let length = content.map { Int(xmlStrlen($0)) } ?? 0
            let bytes = Array(UnsafeBufferPointer(start: content, count: length))
            if TagScan.lineOfExcess(in: bytes) != nil {
                MarkupLimits.of(context)?.check(Int.max, .attributes, MarkupLimits.mostAttributes, context)
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
        _ count: Int, _ kind: DocumentFailure.Excess.Kind, _ most: Int, _ context: UnsafeMutableRawPointer?
    ) {
        guard count > most, excess == nil else { return }
        excess = (kind, most, max(0, Int(xmlSAX2GetLineNumber(context))))
        xmlStopParser(context?.assumingMemoryBound(to: xmlParserCtxt.self))
    }

    private func checkNamespaces(_ own: Int, _ context: UnsafeMutableRawPointer?) {
        var count = own
        var node = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee.node
        while let element = node, count <= Self.mostNamespaces {
            // The document itself is above the outermost element, and has none.
            var namespace = element.pointee.type == XML_ELEMENT_NODE ? element.pointee.nsDef : nil
            while let found = namespace, count <= Self.mostNamespaces {
                count += 1
                namespace = found.pointee.next
            }
            node = element.pointee.parent
        }
        check(count, .namespaces, Self.mostNamespaces, context)
    }
}

/// How much text may be taken out of a tree by way of attributes and entities: little can stand for much there.
final class MarkupBudget {
    /// In bytes.
    let most: Int
    private var left: Int
    private(set) var lineOfExcess: Int?

    /// An attribute is read a few times, and what it stands for is about what is in the file.
    init(ofFile bytes: Int) {
        most = 4 * bytes + 1 << 20
        left = most
    }

    /// Deeper ones lead to themselves, or mean nothing.
    private static let deepest = 40
    /// That a node without text costs.
    private static let ofNode = 16

    /// Appends the text of a node and of those that follow it, or of it alone.
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
            case XML_ENTITY_REF_NODE:
                guard spend(0, line) else { return }
                let entity = xmlGetDocEntity(node.pointee.doc, node.pointee.name)
                if let inner = entity?.pointee.children { append(inner, to: &bytes, at: line, depth: depth + 1) }
            default:
                guard spend(0, line) else { return }
                if let inner = node.pointee.children { append(inner, to: &bytes, at: line, depth: depth + 1) }
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
