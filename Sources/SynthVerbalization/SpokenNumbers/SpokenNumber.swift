/// Parses a spoken number in a recognizer's text. The number may be in digits or words.
///
/// The text must contain exactly one number, including its sign and fraction, in any common form: "forty-two point
/// five", "one and a half", "four two", "3 million". Other words are ignored, as in "um, forty-two please". If there
/// are two numbers, the text is ambiguous, and the result is nil.
struct SpokenNumber {
    private let words: SpokenNumberWords

    /// The maximum size of the text in bytes. For longer text, the result is nil.
    private static let longest = 1000
    private static let maximumDigits = 15
    private static let signs: Set<String> = ["-", "−"]

    init(_ words: SpokenNumberWords) { self.words = words }

    func value(of text: String) -> Double? {
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0) else { return nil }
        if words.isUnspaced { return value(in: [Self.stripped(text[...], keeping: words.decimalMark)]) }
        var found: [[String]] = []
        var run: [String] = []
        func endRun(before next: String? = nil) {
            defer { run = [] }
            guard run.contains(where: isNumeric) || phrase(run) != nil, !isArticle(run, before: next) else { return }
            found.append(run)
        }
        let raw = joinedFigures(text)
        let tokens = raw.map { Self.stripped($0, keeping: words.decimalMark) }
        for (position, token) in tokens.enumerated() where !token.isEmpty {
            // A dash is certain to be a minus sign only at the beginning of the text.
            if Self.signs.contains(token), run.isEmpty, tokens[..<position].allSatisfy(\.isEmpty) {
                run = ["-"]
            } else if isNumeric(token) || words.knows(token) {
                // "5, 100" contains two numbers.
                if run.last.flatMap(figures) != nil, figures(token) != nil, raw[position - 1].last?.isNumber == false {
                    endRun()
                }
                run.append(token)
            } else {
                let isNext = position > 0 && raw[position - 1].last?.isLetter == true
                endRun(before: isNext ? token : nil)
            }
        }
        endRun()
        guard found.count == 1 else { return nil }
        return trimmedValue(found[0])
    }

    /// Whether the run is an article, such as "ein" in "ein Moment", but not in "ein oder zwei".
    private func isArticle(_ run: [String], before next: String?) -> Bool {
        guard let next, next.contains(where: \.isLetter), !words.either.contains(next.lowercased()) else {
            return false
        }
        let rest = run.filter { !words.isJoint($0) || words.articles.contains($0.lowercased()) }
        return rest.count == 1 && words.articles.contains(rest[0].lowercased())
    }

    /// Parses a run of words. Ignores connecting words such as "and" at either end, which may be part of the sentence
    /// rather than the number.
    private func trimmedValue(_ run: [String]) -> Double? {
        var run = run[...]
        while !run.isEmpty {
            if let value = value(in: run) { return value }
            if let last = run.last, words.isJoint(last) {
                run.removeLast()
            } else if let first = run.first, words.isJoint(first) {
                run.removeFirst()
            } else {
                return nil
            }
        }
        return nil
    }

    /// Returns the number formed by all the words in a run.
    private func value(in run: some BidirectionalCollection<String>) -> Double? {
        if let first = run.first, first == "-" || words.minuses.contains(first.lowercased()) {
            return positive(Array(run.dropFirst())).map { -$0 }
        }
        return positive(Array(run))
    }

    private func positive(_ run: [String]) -> Double? {
        let text = run.joined(separator: " ")
        if run.isEmpty { return nil }
        if let value = figures(text) { return value }
        if let value = scaled(run) { return value }
        // ICU would parse digits by different rules and combine them with words.
        guard !text.contains(where: { ("0"..."9").contains($0) }) else { return nil }
        if let value = phrase(run) { return value }
        let plain = SpokenNumberWords.plain(text)
        for ending in words.endings where plain.hasSuffix(ending.words) {
            let before = plain.dropLast(ending.words.count).split(separator: " ").map(String.init)
            if let value = whole(of: before) { return value + ending.value }
        }
        if let point = words.point, let position = run.firstIndex(where: { $0.lowercased() == point }) {
            let before = position == 0 ? 0 : whole(of: Array(run[..<position]))
            var after = Array(run[(position + 1)...])
            var exponent = 0
            // A scale may follow the decimals: "three point five million".
            if after.count > 1, let last = after.last, let scale = words.scales[last.lowercased()] {
                after.removeLast()
                exponent = "\(Int64(scale))".count - 1
            }
            guard let before, let decimals = decimals(after) else { return nil }
            return Double("\(Int64(exactly: before) ?? 0).\(decimals)e\(exponent)")
        }
        return whole(of: run) ?? inTenths(run) ?? words.value(of: text)
    }

    /// Parses a number whose decimals are spoken as a fraction: "семь целых пять десятых".
    private func inTenths(_ run: [String]) -> Double? {
        let run = run.map { $0.lowercased() }
        guard let last = run.last, let count = words.tenths[last],
            let position = run.firstIndex(where: words.wholes.contains),
            let before = whole(of: Array(run[..<position])),
            let value = whole(of: Array(run[(position + 1)...].dropLast()))
        else { return nil }
        let digits = "\(Int64(value))"
        guard digits.count <= count else { return nil }
        return Double("\(Int64(before)).\(String(repeating: "0", count: count - digits.count))\(digits)")
    }

    private func phrase(_ run: [String]) -> Double? {
        words.phrases[SpokenNumberWords.plain(run.joined(separator: " "))]
    }

    /// Parses "4.5 million".
    private func scaled(_ run: [String]) -> Double? {
        guard run.count == 2, let value = figures(run[0]), let scale = words.scales[run[1].lowercased()] else {
            return nil
        }
        return value * scale
    }

    /// Parses an integer below 10^15.
    private func whole(of run: [String]) -> Double? {
        if run.isEmpty { return nil }
        // Try individual digits before ICU, which would parse "four two" as 402.
        if run.count > 1, let value = digits(run).flatMap(Double.init) { return value }
        if let value = words.value(of: run.joined(separator: " ")), value == value.rounded(), value >= 0, value < 1e15 {
            return value
        }
        return nil
    }

    /// Parses the words after the decimal separator: single digits, a number, or a number after zeros.
    private func decimals(_ run: [String]) -> String? {
        if let digits = digits(run) { return digits }
        var zeros = ""
        var rest = run[...]
        while rest.count > 1, let first = rest.first, words.value(of: first) == 0 {
            zeros += "0"
            rest.removeFirst()
        }
        guard let value = words.value(of: rest.joined(separator: " ")), value == value.rounded(), value >= 0,
            value < 1e15
        else { return nil }
        return zeros + "\(Int64(value))"
    }

    /// Parses individual digits, such as "four two seven", as in telephone numbers.
    private func digits(_ run: [String]) -> String? {
        guard (1...Self.maximumDigits).contains(run.count) else { return nil }
        var result = ""
        for word in run {
            guard let digit = words.value(of: word), (0...9).contains(digit), digit == digit.rounded() else {
                return nil
            }
            result += "\(Int(digit))"
        }
        return result
    }

    // MARK: - Digits

    private func isNumeric(_ token: String) -> Bool {
        figures(token) != nil || token.contains { $0.isLetter || $0.isNumber } && words.value(of: token) != nil
            || words.phrases[SpokenNumberWords.plain(token)] != nil
            || words.endings.contains { ending in
                token.count > ending.words.count && SpokenNumberWords.plain(token).hasSuffix(ending.words)
                    && words.value(of: String(SpokenNumberWords.plain(token).dropLast(ending.words.count))) != nil
            }
    }

    /// Splits text into words at white space. A group separator does not split a word unless it is an ordinary space.
    private func joinedFigures(_ text: String) -> [Substring] {
        // A non-breaking space between groups of digits is part of the number in every language.
        text.split { $0.isWhitespace && !(words.groupMarks.contains($0) && $0 != " ") }
    }

    /// Parses "42,5", "1 204" or "-3", using the language's separators.
    private func figures(_ text: String) -> Double? {
        var rest = text[...]
        let isNegative = rest.first == "-" || rest.first == "−"
        if isNegative || rest.first == "+" { rest.removeFirst() }
        let parts = rest.split(separator: words.decimalMark, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.count == 2 && parts[0].isEmpty ? "0" : whole(parts[0]),
            parts.count == 1 || Self.isDigits(parts[1]),
            let value = Double(parts.count == 1 ? whole : "\(whole).\(parts[1])")
        else { return nil }
        return isNegative ? -value : value
    }

    /// Returns the digits without their group separators.
    private func whole(_ text: Substring) -> String? {
        let groups = text.split(omittingEmptySubsequences: false) { words.groupMarks.contains($0) }
        guard groups.allSatisfy(Self.isDigits), groups.dropFirst().allSatisfy({ $0.count == 3 }),
            groups.count == 1 || groups[0].count <= 3
        else { return nil }
        return groups.joined()
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.count <= 300 && text.allSatisfy { ("0"..."9").contains($0) }
    }

    /// Removes punctuation around a word, except a decimal separator before a digit: ".5".
    private static func stripped(_ text: Substring, keeping mark: Character) -> String {
        let isEdge = { (character: Character) in
            character.isWhitespace || ".,!?;:\"“”„«»()[]…。、！？$€£¥%¿¡".contains(character)
        }
        var rest = text
        while let last = rest.last, isEdge(last) { rest.removeLast() }
        while let first = rest.first, isEdge(first) {
            if first == mark, isDigits(rest.dropFirst().prefix(1)) { break }
            rest.removeFirst()
        }
        return String(rest)
    }
}
