extension XMLReader {
    /// Reads markup that starts with `<`. Returns nil if the markup produces no token.
    mutating func readMarkup() throws(ScriptError) -> XMLToken? {
        if matches("</") { return .end(source: try readEndTag()) }
        if matches("<!--") {
            try skipComment()
            return nil
        }
        if matches("<![CDATA[") {
            guard !open.isEmpty else { throw failure(.unexpected("<![CDATA["), at: position) }
            position += 9
            let content = try readUntil("]]>")
            return content.isEmpty ? nil : .characters(content)
        }
        if matches("<!DOCTYPE") {
            try skipDocumentType()
            return nil
        }
        if matches("<!") { throw failure(.unexpected("<!"), at: position) }
        if matches("<?") {
            try skipInstruction()
            return nil
        }
        return .start(try readStartTag())
    }

    /// Skips a document type declaration. An external DTD is never opened, and a declaration with an internal subset is
    /// rejected.
    private mutating func skipDocumentType() throws(ScriptError) {
        let start = position
        guard !hasRoot, !hasDocumentType else { throw failure(.unexpected("<!DOCTYPE"), at: start) }
        hasDocumentType = true
        position += 9
        guard skipSpace(), try readName() != nil else { throw failure(.refused("<!DOCTYPE"), at: start) }
        let isSpaced = skipSpace()
        let names = matches("PUBLIC") ? 2 : matches("SYSTEM") ? 1 : 0
        if names > 0 {
            guard isSpaced else { throw failure(.refused("<!DOCTYPE"), at: start) }
            position += 6
            for _ in 0..<names {
                guard skipSpace(), matches("\"") || matches("'") else { throw failure(.expected("\""), at: position) }
                let quote = bytes[position]
                position += 1
                _ = try quote == UInt8(ascii: "'") ? readUntil("'") : readUntil("\"")
            }
            skipSpace()
        }
        guard take(">") else { throw failure(.refused("<!DOCTYPE"), at: start) }
    }

    private mutating func skipComment() throws(ScriptError) {
        position += 4
        let content = try readUntil("--")
        guard position < bytes.count else { throw failure(.expected("-->"), at: position) }
        guard take(">") else { throw failure(.unexpected("--"), at: content.upperBound) }
    }

    private mutating func skipInstruction() throws(ScriptError) {
        let start = position
        position += 2
        guard let name = try readName() else { throw failure(.unexpected("<?"), at: start) }
        guard text(name).lowercased() != "xml" else { throw failure(.unexpected("<?xml"), at: start) }
        guard matches("?>") || position < bytes.count && XMLCharacters.isSpace(bytes[position]) else {
            throw failure(.expected("?>"), at: position)
        }
        _ = try readUntil("?>")
    }

    private mutating func readEndTag() throws(ScriptError) -> Range<Int> {
        let start = position
        position += 2
        let name = try readName()
        guard let expected = open.last else {
            throw failure(hasRoot ? .unexpected("</") : .expected("<\(root)>"), at: start)
        }
        work += expected.count
        guard let name, bytes[name] == bytes[expected] else {
            throw failure(.expected("</\(text(expected))>"), at: start)
        }
        skipSpace()
        try pass(">")
        open.removeLast()
        return start..<position
    }

    private mutating func readStartTag() throws(ScriptError) -> XMLTag {
        let start = position
        position += 1
        guard let name = try readName() else { throw failure(.unexpected("<"), at: start) }
        let written = text(name)
        let local = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).last.map(String.init)
        if open.isEmpty {
            guard !hasRoot else { throw failure(.unexpected("<\(written)>"), at: start) }
            guard local == root else { throw failure(.expected("<\(root)>"), at: start) }
            hasRoot = true
        }
        guard open.count < Self.deepest else { throw failure(.tooDeep(limit: Self.deepest), at: start) }
        let attributes = try readAttributes()
        isEndDue = take("/")
        try pass(">")
        open.append(name)
        return XMLTag(name: local ?? written, attributes: attributes, source: start..<position)
    }

    mutating func pass(_ mark: StaticString) throws(ScriptError) {
        guard take(mark) else { throw failure(.expected(mark.description), at: position) }
    }

    /// Reads the attributes of a tag up to the end of the tag, which is not consumed.
    private mutating func readAttributes() throws(ScriptError) -> [XMLAttribute] {
        var attributes: [XMLAttribute] = []
        while true {
            let isSpaced = skipSpace()
            guard position < bytes.count else { throw failure(.expected(">"), at: position) }
            if matches(">") || matches("/") { return attributes }
            guard isSpaced else { throw failure(.unexpected(word(at: position)), at: position) }
            attributes.append(try readAttribute(after: attributes))
        }
    }

    private mutating func readAttribute(after others: [XMLAttribute]) throws(ScriptError) -> XMLAttribute {
        let start = position
        guard let range = try readName() else { throw failure(.unexpected(word(at: start)), at: start) }
        let name = text(range)
        work += others.count
        guard others.count < Self.maximumAttributes, !others.contains(where: { $0.name == name }) else {
            throw failure(.unexpected(name), at: start)
        }
        skipSpace()
        try pass("=")
        skipSpace()
        let (value, source) = try readValue()
        return XMLAttribute(name: name, value: value, source: source)
    }

    private mutating func readValue() throws(ScriptError) -> (value: String, source: Range<Int>) {
        guard matches("\"") || matches("'") else { throw failure(.expected("\""), at: position) }
        let quote = bytes[position]
        position += 1
        let start = position
        var value: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == quote { break }
            switch byte {
            case UInt8(ascii: "<"): throw failure(.unexpected("<"), at: position)
            case UInt8(ascii: "&"): value += String(try readReference().scalar).utf8
            default:
                value.append(XMLCharacters.isSpace(byte) ? 0x20 : byte)
                position += 1
            }
        }
        work += position - start
        guard position < bytes.count else { throw failure(.expected(word(at: start - 1)), at: position) }
        position += 1
        return (String(decoding: value, as: UTF8.self), start..<position - 1)
    }

    /// Reads `<?xml version="1.0" …?>` if the document starts with it.
    mutating func readDeclaration() throws(ScriptError) {
        guard matches("<?xml"), position + 5 < bytes.count, XMLCharacters.isSpace(bytes[position + 5]) else { return }
        let start = position
        position += 5
        var attributes: [XMLAttribute] = []
        while true {
            let isSpaced = skipSpace()
            if take("?>") { break }
            guard isSpaced, position < bytes.count else { throw failure(.expected("?>"), at: position) }
            let place = position
            let attribute = try readAttribute(after: attributes)
            let order = ["version", "encoding", "standalone"]
            guard let index = order.firstIndex(of: attribute.name),
                attributes.allSatisfy({ order.prefix(index).contains($0.name) })
            else { throw failure(.unexpected(attribute.name), at: place) }
            guard Self.isKnown(attribute) else {
                throw failure(
                    .badValue(of: attribute.name, value: String(attribute.value.prefix(64))),
                    at: attribute.source.lowerBound)
            }
            attributes.append(attribute)
        }
        guard attributes.first?.name == "version" else { throw failure(.expected("version"), at: start) }
    }

    private static func isKnown(_ attribute: XMLAttribute) -> Bool {
        switch attribute.name {
        case "version": attribute.value == "1.0"
        case "encoding": XMLEncoding.isKnown(attribute.value)
        default: attribute.value == "yes" || attribute.value == "no"
        }
    }
}
