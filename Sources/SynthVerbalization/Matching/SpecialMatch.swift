/// Matches token sequences whose end depends only on their characters. Runs in linear time overall: a match starts only
/// where no earlier match could have started, and scanning stops at the first character that cannot be part of a match.
struct SpecialMatch {
    let bytes: [UInt8]
    let tokens: FixedBuffer<Token>
    let language: Language
    /// The number of tokens examined.
    private(set) var work = 0

    private static let longest = 2048

    /// - Returns: the index of the token after the match.
    mutating func end(of shape: SpecialShape, at index: Int) -> Int? {
        switch shape {
        case .address: beginsFresh(index) ? address(index) : nil
        case .mail: beginsFresh(index) ? mail(index) : nil
        case .path: beginsFresh(index) ? path(index) : nil
        case .tag: mark(0x23, at: index) && beginsFresh(index) ? name(after: index) : nil
        case .handle: mark(0x40, at: index) && beginsFresh(index) ? name(after: index) : nil
        case .formula: formula(index)
        case .raised:
            // A match never starts within a run of digits. Otherwise, the run would be scanned again from each of its
            // digits.
            index > 0 && RaisedDigits.value(tokens[index - 1].exact) != nil
                ? nil : run(index) { RaisedDigits.value($0.exact) != nil }
        case .code: code(index)
        case .model: model(index)
        case .file: beginsFresh(index) ? file(index) : nil
        case .identifier: beginsFresh(index) ? identifier(index) : nil
        case .camel: camel(index)
        case .flag: flag(index)
        case .serial: beginsFresh(index) ? serial(index) : nil
        }
    }

    mutating func run(_ index: Int, _ belongs: (Token) -> Bool) -> Int? {
        var end = index
        while end < tokens.count, end < index + Self.longest, belongs(tokens[end]) { end += 1 }
        work += end - index
        return end > index ? end : nil
    }

    func beginsFresh(_ index: Int) -> Bool {
        index == 0 || Self.stops(tokens[index - 1])
    }

    /// Whether the token cannot be part of a URL or e-mail address.
    private static func stops(_ token: Token) -> Bool {
        switch token.kind {
        case .word, .digits: return false
        case .space, .ideograph: return true
        case .mark:
            switch token.exact {
            case 0x22, 0x27...0x29, 0x3C, 0x3E, 0x5B, 0x5D, 0x60, 0x7B...0x7D, 0x2A: return true
            default: return token.exact >= 0x80
            }
        }
    }

    /// Returns the end of the run that starts at a token, excluding punctuation that belongs to the sentence.
    mutating func runEnd(_ index: Int) -> Int? {
        guard var end = run(index, { !Self.stops($0) }) else { return nil }
        if end == index + Self.longest, end < tokens.count, !Self.stops(tokens[end]) { return nil }
        while end > index, tokens[end - 1].kind == .mark, isPunctuation(tokens[end - 1].exact) { end -= 1 }
        return end > index ? end : nil
    }

    private func isPunctuation(_ scalar: UInt32) -> Bool {
        scalar == 0x2E || scalar == 0x2C || scalar == 0x3A || scalar == 0x3B || scalar == 0x21 || scalar == 0x3F
    }

    func mark(_ scalar: UInt32, at index: Int) -> Bool {
        index < tokens.count && tokens[index].kind == .mark && tokens[index].exact == scalar
    }

    private func text(_ index: Int) -> String {
        String(decoding: bytes[tokens[index].range], as: UTF8.self)
    }

    private static let schemes: Set<String> = ["http", "https", "ftp", "sftp", "ssh", "git", "file", "ws", "wss"]

    private mutating func address(_ index: Int) -> Int? {
        guard index + 1 < tokens.count, tokens[index].isAlphanumeric else { return nil }
        if let host = machine(index) { return runEnd(index).flatMap { addressEnd(after: host, to: $0) } }
        guard tokens[index].kind == .word else { return nil }
        if mark(0x3A, at: index + 1), mark(0x2F, at: index + 2), mark(0x2F, at: index + 3) {
            guard Self.schemes.contains(text(index).lowercased()), let end = runEnd(index), end > index + 4 else {
                return nil
            }
            return end
        }
        // Names separated by dots. The last name is a known top-level domain.
        guard mark(0x2E, at: index + 1) || mark(0x2D, at: index + 1) || tokens[index + 1].kind == .digits,
            let end = runEnd(index)
        else { return nil }
        var cursor = index
        var domain = -1
        while cursor < end {
            let token = tokens[cursor]
            if token.isAlphanumeric || token.exact == 0x2D {
                cursor += 1
            } else if token.exact == 0x2E, cursor + 1 < end, tokens[cursor + 1].isAlphanumeric {
                domain = cursor + 1
                cursor += 1
            } else {
                break
            }
        }
        guard domain > 0, domain == cursor - 1, language.isDomain(tokens[domain]) else { return nil }
        return addressEnd(after: cursor, to: end)
    }

    /// Returns the end of an address whose host ends at a token. A port, a path or a query may follow the host.
    private func addressEnd(after host: Int, to end: Int) -> Int? {
        guard host < end else { return host == end ? end : nil }
        if mark(0x3A, at: host) { return host + 1 < end && tokens[host + 1].kind == .digits ? end : nil }
        return mark(0x2F, at: host) || mark(0x3F, at: host) || mark(0x23, at: host) ? end : nil
    }

    /// Returns the end of a host that is not a domain name: "127.0.0.1", or "localhost" before a port or a path.
    private func machine(_ index: Int) -> Int? {
        if tokens[index].kind == .word {
            let isHost = tokens[index].length == 9 && text(index) == "localhost"
            return isHost && (mark(0x3A, at: index + 1) || mark(0x2F, at: index + 1)) ? index + 1 : nil
        }
        guard index + 7 <= tokens.count, tokens[index].length <= 3 else { return nil }
        for position in stride(from: index, to: index + 7, by: 2) {
            guard tokens[position].kind == .digits, position == index + 6 || mark(0x2E, at: position + 1),
                let value = DigitValue.of(bytes, tokens[position].range), value < 256
            else { return nil }
        }
        return index + 7
    }

    private mutating func mail(_ index: Int) -> Int? {
        guard index + 1 < tokens.count, tokens[index + 1].kind == .mark || tokens[index + 1].isAlphanumeric,
            let end = runEnd(index)
        else { return nil }
        var at = -1
        for cursor in index..<end where tokens[cursor].kind == .mark {
            switch tokens[cursor].exact {
            case 0x40:
                guard at < 0, cursor > index, cursor + 1 < end else { return nil }
                at = cursor
            case 0x2E, 0x2D: break
            case 0x5F, 0x2B, 0x25: guard at < 0 else { return nil }
            default: return nil
            }
        }
        guard at > 0, end >= at + 4, tokens[end - 1].kind == .word, mark(0x2E, at: end - 2), tokens[end - 1].length >= 2
        else { return nil }
        return end
    }

    private mutating func name(after index: Int) -> Int? {
        guard index + 1 < tokens.count, tokens[index + 1].kind == .word else { return nil }
        var end = run(index + 1) { $0.isAlphanumeric || $0.exact == 0x5F } ?? index
        while end > index, mark(0x5F, at: end - 1) { end -= 1 }
        return end > index + 1 ? end : nil
    }

    private mutating func formula(_ index: Int) -> Int? {
        guard tokens[index].kind == .word,
            let end = run(index, { $0.kind == .word || RaisedDigits.lowered($0.exact) != nil }), end > index + 1,
            end < index + 24
        else { return nil }
        for cursor in index..<end where tokens[cursor].kind == .word {
            let token = tokens[cursor]
            guard token.shape != .lower, token.length <= 6 else { return nil }
            var small = 0
            for byte in bytes[token.range] {
                guard (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) else { return nil }
                small = byte >= 0x61 ? small + 1 : 0
                guard small <= 1 else { return nil }
            }
        }
        return end
    }
}
