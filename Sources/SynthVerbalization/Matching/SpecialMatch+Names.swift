/// Matches technical names: files, paths, variables, options, model numbers.
extension SpecialMatch {
    /// Matches an absolute path, a path that starts with ~/, ./, ../ or a drive letter, or names separated by slashes.
    /// There must be at least three such names, or two if the last one is a file name.
    mutating func path(_ index: Int) -> Int? {
        let isDrive = tokens[index].isLetter && mark(0x3A, at: index + 1) && mark(0x5C, at: index + 2)
        guard let end = runEnd(index), end >= index + 2 else { return nil }
        if isDrive { return hasOnly([0x5C, 0x2E, 0x2D, 0x5F], index + 2..<end) && end > index + 3 ? end : nil }
        guard tokens[index].kind == .mark else { return relativePath(index..<end) }
        var cursor = index
        if mark(0x7E, at: cursor) {
            cursor += 1
        } else {
            while mark(0x2E, at: cursor), cursor < index + 2 { cursor += 1 }
        }
        guard mark(0x2F, at: cursor), cursor + 1 < end else { return nil }
        // A hidden file, such as "~/.bashrc".
        let first = mark(0x2E, at: cursor + 1) ? cursor + 2 : cursor + 1
        guard first < end, tokens[first].kind == .word, tokens[first].length > 1 || cursor > index else { return nil }
        return hasOnly([0x2F, 0x2E, 0x2D, 0x5F], cursor..<end) ? end : nil
    }

    private func relativePath(_ range: Range<Int>) -> Int? {
        // The rule index excludes paths that begin with a digit, such as "24/7/365".
        guard tokens[range.lowerBound].kind == .word, hasOnly([0x2F, 0x2E, 0x2D, 0x5F], range) else { return nil }
        var slashes = 0
        for cursor in range where mark(0x2F, at: cursor) {
            slashes += 1
            guard cursor + 1 < range.upperBound else { continue }
            guard tokens[cursor + 1].isAlphanumeric || mark(0x5F, at: cursor + 1) || mark(0x2E, at: cursor + 1) else {
                return nil
            }
        }
        return slashes > 1 || slashes == 1 && isFile(range) ? range.upperBound : nil
    }

    private func hasOnly(_ marks: Set<UInt32>, _ range: Range<Int>) -> Bool {
        range.allSatisfy { tokens[$0].kind != .mark || marks.contains(tokens[$0].exact) }
    }

    mutating func file(_ index: Int) -> Int? {
        guard let end = runEnd(index), isFile(index..<end), hasOnly([0x2E, 0x2D, 0x5F], index..<end) else { return nil }
        return end
    }

    private func isFile(_ range: Range<Int>) -> Bool {
        guard range.count > 2 else { return false }
        var last = range.upperBound - 1
        // An extension such as "mp3" consists of two tokens.
        if tokens[last].kind == .digits, tokens[last - 1].kind == .word { last -= 1 }
        return last > range.lowerBound + 1 && mark(0x2E, at: last - 1) && tokens[last - 2].isAlphanumeric
            && language.isFileType(tokens[last])
    }

    /// Matches names joined by underscores or equals signs.
    mutating func identifier(_ index: Int) -> Int? {
        guard tokens[index].kind != .digits,
            let end = run(index, { $0.isAlphanumeric || $0.exact == 0x5F || $0.exact == 0x3D })
        else { return nil }
        var isJoined = false
        for cursor in index..<end where tokens[cursor].kind == .mark {
            guard cursor > index, cursor + 1 < end else {
                if mark(0x3D, at: cursor) { return nil }
                continue
            }
            if mark(0x3D, at: cursor), mark(0x3D, at: cursor + 1) { return nil }
            if tokens[cursor + 1].isAlphanumeric, tokens[cursor - 1].isAlphanumeric { isJoined = true }
        }
        return isJoined ? end : nil
    }

    /// Matches a word with internal capitals, such as "userName" or "StringBuilder", but not "McCoy".
    func camel(_ index: Int) -> Int? {
        let token = tokens[index]
        guard token.shape == .mixed, token.isASCII, token.length >= 5 else { return nil }
        let first = bytes[token.range.lowerBound]
        var small = 0
        var humps = 0
        for offset in token.range {
            if bytes[offset] >= 0x60 {
                small += 1
                continue
            }
            if offset > token.range.lowerBound, small > 0 {
                humps += 1
                if small < 2 { return nil }
            }
            small = 0
        }
        return humps > 0 && (first >= 0x60 || small > 1) ? index + 1 : nil
    }

    /// Matches a command-line option.
    mutating func flag(_ index: Int) -> Int? {
        guard mark(0x2D, at: index), beginsFresh(index) else { return nil }
        guard mark(0x2D, at: index + 1) else {
            guard index + 1 < tokens.count, tokens[index + 1].isLetter, tokens[index + 1].isASCII else { return nil }
            return index + 2
        }
        guard index + 2 < tokens.count, tokens[index + 2].kind == .word,
            let end = run(index + 2, { $0.isAlphanumeric || [0x2D, 0x5F, 0x3D].contains($0.exact) })
        else { return nil }
        return tokens[end - 1].isAlphanumeric ? end : nil
    }

    /// Matches letters and digits that form a technical identifier.
    mutating func serial(_ index: Int) -> Int? {
        if let end = accountNumber(index) { return end }
        guard tokens[index].isAlphanumeric, let end = runEnd(index), end > index + 1 else { return nil }
        let range = Int(tokens[index].start)..<Int(tokens[end - 1].end)
        guard (7...128).contains(range.count) else { return nil }
        var groups = [0]
        var letters = 0
        var changes = 0
        for offset in range {
            let byte = bytes[offset]
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66:
                if byte >= 0x41 { letters += 1 }
                if offset > range.lowerBound, (bytes[offset - 1] >= 0x41) != (byte >= 0x41) { changes += 1 }
                groups[groups.count - 1] += 1
            case 0x3A, 0x2D: groups.append(0)
            default: return nil
            }
        }
        let isCard = groups == [2, 2, 2, 2, 2, 2]
        let isIdentifier = groups == [8, 4, 4, 4, 12]
        let isNumber = groups.count == 1 && letters > 1 && letters < range.count - 1
        // The beginning of a digest, such as "3fa85f64".
        let isShort = range.count < 12
        return isCard || isIdentifier || isNumber && (!isShort || changes > 2) ? end : nil
    }

    /// Returns the end of an IBAN, which is written in groups of four or without spaces.
    private mutating func accountNumber(_ index: Int) -> Int? {
        guard tokens[index].shape == .upper, tokens[index].length == 2, index + 2 < tokens.count,
            tokens[index + 1].kind == .digits, tokens[index + 1].length >= 2,
            let last = run(index, { $0.isAlphanumeric && $0.isASCII || $0.exact == Token.space })
        else { return nil }
        var end = index
        var count = 0
        var group = 0
        for cursor in index..<last {
            let token = tokens[cursor]
            if token.kind == .space {
                guard group == 4, token.length == 1 else { break }
                group = 0
                continue
            }
            guard token.kind == .digits || token.shape == .upper || token.isLetter && token.shape == .capital else {
                break
            }
            group += token.length
            count += token.length
            if count > 34 { return nil }
            end = cursor + 1
        }
        let isInOnePiece = group == count
        return count >= 15 && (isInOnePiece || group <= 4) ? end : nil
    }

    /// Matches a sequence of letters and digits that has no separators and contains at least one of each.
    mutating func code(_ index: Int) -> Int? {
        guard let end = run(index, { $0.isAlphanumeric }), end > index + 1, end < index + 12 else { return nil }
        return end
    }

    /// Matches letters followed by groups of letters or digits, with at least one hyphen and one digit. The match does
    /// not include a word after the last hyphen, as in "F-16-like".
    mutating func model(_ index: Int) -> Int? {
        guard tokens[index].kind == .word, tokens[index].shape != .lower,
            let last = run(index, { $0.isAlphanumeric || $0.exact == 0x2D }), last > index + 2, last < index + 12
        else { return nil }
        var end = index
        var hasDigits = false
        while end < last {
            let token = tokens[end]
            if token.kind == .mark {
                guard end + 1 < last, tokens[end - 1].isAlphanumeric else { return nil }
            } else if token.kind == .word, end > index, token.shape != .upper, !token.isLetter {
                guard tokens[end - 1].kind == .mark, end + 1 == last else { return nil }
                end -= 1
                break
            }
            hasDigits = hasDigits || token.kind == .digits
            end += 1
        }
        return hasDigits && (index..<end).contains { mark(0x2D, at: $0) } ? end : nil
    }
}
