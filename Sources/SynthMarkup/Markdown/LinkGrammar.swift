/// The parts of links that are not spoken, read as the library reads them.
struct LinkGrammar {
    let bytes: [UInt8]

    /// The end of what follows the words of a link or an image: an address in parentheses, a label in brackets, or nothing.
    func endOfTail(at index: Int) -> Int {
        endOfAddress(at: index) ?? endOfLabel(at: index) ?? index
    }

    /// The end of the definition of a reference that begins here, if one does.
    func endOfDefinition(at index: Int) -> Int? {
        guard let label = endOfLabel(at: index), label > index + 2, has(":", at: label) else { return nil }
        guard let address = endOfDestination(at: skipBlank(label + 1), isDefinition: true) else { return nil }
        let afterBlank = skipBlank(address)
        if afterBlank > address, let title = endOfTitle(at: afterBlank), let end = endOfLine(at: title) { return end }
        return endOfLine(at: address)
    }

    private func endOfAddress(at index: Int) -> Int? {
        guard has("(", at: index), let address = endOfDestination(at: skipBlank(index + 1), isDefinition: false) else {
            return nil
        }
        var end = skipBlank(address)
        if end > address, let title = endOfTitle(at: end) { end = skipBlank(title) }
        return has(")", at: end) ? end + 1 : nil
    }

    private func endOfLabel(at start: Int) -> Int? {
        guard has("[", at: start) else { return nil }
        var index = start + 1
        while index < bytes.count, index - start <= 1_001 {
            switch bytes[index] {
            case UInt8(ascii: "]"): return index + 1
            case UInt8(ascii: "["): return nil
            default: index = afterCharacter(at: index)
            }
        }
        return nil
    }

    private func endOfDestination(at start: Int, isDefinition: Bool) -> Int? {
        var index = start
        if has("<", at: start) {
            index += 1
            while index < bytes.count, afterLineEnd(at: index) == nil, bytes[index] != UInt8(ascii: "<") {
                if bytes[index] == UInt8(ascii: ">") { return index + 1 }
                index = afterCharacter(at: index)
            }
            return nil
        }
        var open = 0
        loop: while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "("):
                open += 1
                guard open <= 32 else { return nil }
            case UInt8(ascii: ")"):
                guard open > 0 else { break loop }
                open -= 1
            case 0x09...0x0D, 0x20: break loop
            default: break
            }
            index = afterCharacter(at: index)
        }
        guard isDefinition ? index > start : index < bytes.count else { return nil }
        return index
    }

    private func endOfTitle(at start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        let close: UInt8
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): close = bytes[start]
        case UInt8(ascii: "("): close = UInt8(ascii: ")")
        default: return nil
        }
        var index = start + 1
        // A mark after a backslash ends the title if no other one does.
        var escaped: Int?
        while index < bytes.count {
            if bytes[index] == close { return index + 1 }
            if close == UInt8(ascii: ")"), bytes[index] == UInt8(ascii: "(") { return escaped }
            let next = afterCharacter(at: index)
            if next == index + 2, bytes[index + 1] == close { escaped = next }
            index = next
        }
        return escaped
    }

    private func endOfLine(at start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        return index < bytes.count ? afterLineEnd(at: index) : index
    }

    func afterLineEnd(at index: Int) -> Int? {
        guard index < bytes.count, bytes[index] == 0x0A || bytes[index] == 0x0D else { return nil }
        let isPair = bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
        return isPair ? index + 2 : index + 1
    }

    private func skipBlank(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, (0x09...0x0D).contains(bytes[index]) || bytes[index] == 0x20 { index += 1 }
        return index
    }

    private func afterCharacter(at index: Int) -> Int {
        bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && Self.isPunctuation(bytes[index + 1])
            ? index + 2 : index + 1
    }

    private func has(_ sign: Unicode.Scalar, at index: Int) -> Bool {
        index < bytes.count && UInt32(bytes[index]) == sign.value
    }

    /// The signs that a backslash makes literal.
    static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
