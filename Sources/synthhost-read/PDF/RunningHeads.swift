/// Finds running heads, footers and page numbers.
struct RunningHeads {
    /// Rows at the same height, at the top or bottom edge of a page.
    private struct Band {
        var rows: [Int]
        var top: Int
        var bottom: Int
        var size: Int
        var isBold: Bool
        var text: String
        /// The distance to the nearest text toward the middle of the page, or nil if there is none.
        var gap: Int?
        var tokens: [String] { text.split(separator: " ").map(String.init) }
    }

    private enum Edge { case upper, lower }

    private let pages: [[PrintedRow]]
    private let heights: [Int]
    private let titles: [Int: Set<String>]
    private let bodySize: Int
    /// The remaining rows of each page.
    private var left: [[Int]]
    /// The difference between a page's printed number, in decimal digits, and its index.
    private var offset: Int?
    /// The difference between a page's printed number, in Roman numerals, and its index.
    private var romanOffset: Int?

    /// Returns the pages without running heads and footers.
    ///
    /// - Parameter titles: the bookmark titles of each page, reduced to letters and digits. The keys are page numbers,
    ///   starting at 1.
    static func removed(
        from pages: [[PrintedRow]], heights: [Int], bodySize: Int, titles: [Int: Set<String>]
    ) -> [[PrintedRow]] {
        var heads = RunningHeads(pages, heights, bodySize, titles)
        heads.findOffsets()
        for edge in [Edge.upper, .lower] { for _ in 0..<3 where !heads.removeOutermostRows(edge) { break } }
        return heads.left.indices.map { page in heads.left[page].sorted().map { pages[page][$0] } }
    }

    private init(_ pages: [[PrintedRow]], _ heights: [Int], _ bodySize: Int, _ titles: [Int: Set<String>]) {
        (self.pages, self.heights, self.bodySize, self.titles) = (pages, heights, bodySize, titles)
        // The rows, sorted from top to bottom.
        left = pages.map { rows in
            rows.indices.sorted { (rows[$0].top, rows[$0].left, $0) < (rows[$1].top, rows[$1].left, $1) }
        }
    }

    // MARK: - Bands

    private func band(_ page: Int, _ edge: Edge, after skipped: Int = 0) -> Band? {
        var places = left[page][...]
        var found: Band?
        for _ in 0...skipped {
            guard let next = outermost(&places, page, edge) else { return nil }
            found = next
        }
        guard var band = found else { return nil }
        if let next = outermost(&places, page, edge) {
            band.gap = edge == .upper ? next.top - band.bottom : band.top - next.bottom
        }
        return band
    }

    private func outermost(_ places: inout ArraySlice<Int>, _ page: Int, _ edge: Edge) -> Band? {
        let rows = pages[page]
        // At the bottom edge, compare rows by their bottom edges, because a tall row may extend below a row with
        // smaller text.
        guard let first = edge == .upper ? places.popFirst() : places.popLast() else { return nil }
        var band = [first]
        let row = rows[first]
        while let next = edge == .upper ? places.first : places.last, band.count < 32 {
            let shared = min(row.bottom, rows[next].bottom) - max(row.top, rows[next].top)
            guard shared * 2 > min(row.bottom - row.top, rows[next].bottom - rows[next].top) else { break }
            band.append(next)
            if edge == .upper { places.removeFirst() } else { places.removeLast() }
        }
        let parts = band.map { rows[$0] }.sorted { $0.left < $1.left }
        return Band(
            rows: band, top: parts.map(\.top).min() ?? 0, bottom: parts.map(\.bottom).max() ?? 0,
            size: parts.map(\.size).max() ?? 0, isBold: parts.allSatisfy { $0.cells.allSatisfy(\.isBold) },
            text: parts.map(\.text).joined(separator: " "))
    }

    // MARK: - Page numbers

    /// Parses the number in a word of a running head: "17", "-17-", "3/9", "xvii".
    private static func number(_ word: String) -> (value: Int, isRoman: Bool)? {
        let bare = word.trimmed { "-–—[](){}|·•,:".contains($0) }
        let first = bare.split(separator: "/", omittingEmptySubsequences: false)
        guard !bare.isEmpty, first.count <= 2 else { return nil }
        if let part = first.first, part.utf8.count <= 5, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let value = Int(part)
        {
            return (value, false)
        }
        return RomanNumeral.value(bare).map { ($0, true) }
    }

    private mutating func findOffsets() {
        var votes: [Int: Int] = [:]
        var romanVotes: [Int: Int] = [:]
        for page in pages.indices {
            var seen: Set<Int> = []
            var seenRoman: Set<Int> = []
            for edge in [Edge.upper, .lower] {
                for depth in 0..<2 {
                    guard let tokens = band(page, edge, after: depth)?.tokens, tokens.count <= 20 else { continue }
                    for word in tokens.count == 1 ? tokens : [tokens[0], tokens[tokens.count - 1]] + middle(tokens) {
                        guard let (value, isRoman) = Self.number(word) else { continue }
                        if isRoman { seenRoman.insert(value - page) } else { seen.insert(value - page) }
                    }
                }
            }
            for offset in seen { votes[offset, default: 0] += 1 }
            for offset in seenRoman { romanVotes[offset, default: 0] += 1 }
        }
        let least = pages.count == 1 ? 1 : 2
        offset = votes.filter { $0.value >= least }.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
        if pages.count == 1, offset != 1 { offset = nil }
        romanOffset = romanVotes.filter { $0.value >= 2 }.max { ($0.value, -$0.key) < ($1.value, -$1.key) }?.key
    }

    /// Returns the second word, which is the number in "Page 3 of 9".
    private func middle(_ tokens: [String]) -> [String] { tokens.count == 4 || tokens.count == 3 ? [tokens[1]] : [] }

    private func isNumber(_ word: String, of page: Int) -> Bool {
        guard let (value, isRoman) = Self.number(word) else { return false }
        return value - page == (isRoman ? romanOffset : offset)
    }

    /// Whether the band is a page number, optionally with a word: "17", "Page 17", "Page 3 of 9", "3 / 9".
    private func isPageNumber(_ band: Band, _ page: Int) -> Bool {
        let tokens = band.tokens
        guard tokens.count <= 4, band.text.count <= 24 else { return false }
        if tokens.count == 1 { return isNumber(tokens[0], of: page) }
        let letters = band.text.filter(\.isLetter).lowercased()
        let isCounted = tokens.contains { isNumber($0, of: page) }
        return isCounted
            && (letters.isEmpty
                || [
                    "page", "pageof", "seite", "seitevon", "of", "von", "páginade", "página", "pagesur", "pagina",
                    "strona", "s", "p", "sur", "de",
                ].contains(letters))
    }

    /// Returns the text without any page number, and whether there was one at either end.
    private func shape(_ band: Band, _ page: Int) -> (text: String, isNumbered: Bool) {
        var tokens = band.tokens
        guard tokens.count > 1 else { return (band.text, false) }
        for place in [tokens.count - 1, 0] where isNumber(tokens[place], of: page) {
            tokens.remove(at: place)
            return (tokens.joined(separator: " "), true)
        }
        return (band.text, false)
    }

    // MARK: - Decisions

    /// Removes the outermost rows of pages if they are running heads. Returns false if no row was removed.
    private mutating func removeOutermostRows(_ edge: Edge) -> Bool {
        let bands = pages.indices.map { band($0, edge) }
        let shapes = zip(bands, pages.indices).map { band, page in band.map { shape($0, page) } }
        let pageHeight = max(1, heights.max() ?? 1)
        let close = max(1, pageHeight / 200)
        func place(_ band: Band) -> Int { edge == .upper ? band.top : band.bottom }
        func isAtEdge(_ band: Band, _ page: Int) -> Bool {
            let height = max(1, heights[page])
            return edge == .upper ? band.bottom * 100 < 15 * height : band.top * 100 > 85 * height
        }
        func isApart(_ band: Band) -> Bool { (band.gap ?? Int.max / 10) * 10 > 7 * bodySize }

        var isHead = Array(repeating: false, count: pages.count)
        var texts: [Style: Int] = [:]
        var anywhere: [String: Int] = [:]
        for page in pages.indices {
            guard let band = bands[page], let text = shapes[page]?.text.lowercased() else { continue }
            texts[Style(row: place(band) / close, text: text), default: 0] += 1
            anywhere[text, default: 0] += 1
        }
        for page in pages.indices {
            guard let band = bands[page], let shape = shapes[page], band.text.count <= 200 else { continue }
            let isLarge = band.size * 10 > 13 * bodySize
            if isPageNumber(band, page) {
                isHead[page] = isAtEdge(band, page) || isApart(band)
            } else if shape.isNumbered {
                let isAgain = anywhere[shape.text.lowercased()] ?? 0 > 1
                let isSentence = band.text.last.map { ".!?".contains($0) } ?? false
                isHead[page] = !isLarge && (isAgain || isApart(band) && isAtEdge(band, page) && !isSentence)
            } else if Self.isOfPrinter(band.text, edge), isAtEdge(band, page) {
                isHead[page] = true
            } else {
                let text = shape.text.lowercased()
                let row = place(band) / close
                let same = (row - 2...row + 2).reduce(0) { $0 + (texts[Style(row: $1, text: text)] ?? 0) }
                let isStrange = isApart(band) || band.size != bodySize
                isHead[page] =
                    same >= (isLarge ? 4 : 3) && (isStrange || same * 2 > pages.count)
                    || same == 2 && pages.count <= 6 && isStrange && !isLarge && isAtEdge(band, page)
            }
        }
        // The running head of a short chapter does not occur often enough for the code above to find it, but it is at
        // the same height as other running heads.
        var edges: [Style: Int] = [:]
        for page in pages.indices where isHead[page] {
            if let band = bands[page] {
                edges[Style(row: place(band) / close, size: band.size, isBold: band.isBold), default: 0] += 1
            }
        }
        // A row is also a running head if most pages have text at its height that is small or far from the body text.
        var apart: [Int: (apart: Int, all: Int)] = [:]
        for case let band? in bands {
            let isSmall = band.size * 10 <= 9 * bodySize || band.text == band.text.uppercased()
            apart[place(band) / close, default: (0, 0)].all += 1
            if band.gap.map({ $0 > (isSmall ? bodySize / 2 : bodySize) }) ?? false, band.text.count <= 100,
                !band.text.hasSuffix(".")
            {
                apart[place(band) / close]?.apart += 1
            }
        }
        for page in pages.indices where !isHead[page] {
            guard let band = bands[page], band.text.count <= 120, band.size * 10 <= 12 * bodySize, isAtEdge(band, page)
            else { continue }
            let row = place(band) / close
            let found = (row - 1...row + 1).reduce(0) {
                $0 + (edges[Style(row: $1, size: band.size, isBold: band.isBold)] ?? 0)
            }
            let (there, all) = apart[row] ?? (0, 0)
            if found >= 3 && isApart(band) || all >= 4 && all * 10 >= 6 * pages.count && there * 10 >= 9 * all {
                isHead[page] = true
            }
        }
        for page in pages.indices where isHead[page] {
            if let band = bands[page], isHeading(band, page) { isHead[page] = false }
        }
        guard isHead.contains(true) else { return false }
        for page in pages.indices where isHead[page] {
            let rows = Set(bands[page]?.rows ?? [])
            left[page].removeAll { rows.contains($0) }
        }
        return true
    }

    /// The vertical position of a band, and its text or its typography.
    private struct Style: Hashable {
        let row: Int
        var text = ""
        var size = 0
        var isBold = false
    }

    /// Whether a bookmark refers to this band and not to other text on the page.
    private func isHeading(_ band: Band, _ page: Int) -> Bool {
        guard let titles = titles[page + 1], !titles.isEmpty else { return false }
        func isNamed(_ text: String) -> Bool {
            let key = PrintedHeadings.key(text)
            return titles.contains { !$0.isEmpty && key.hasSuffix($0) && key.count <= $0.count + 12 }
        }
        guard isNamed(band.text) else { return false }
        return !left[page].contains { !band.rows.contains($0) && isNamed(pages[page][$0].text) }
    }

    /// Whether the text was added by a browser when the page was printed: the date, time and title, or the URL and page
    /// number.
    private static func isOfPrinter(_ text: String, _ edge: Edge) -> Bool {
        let tokens = text.split(separator: " ")
        switch edge {
        case .upper:
            guard let date = tokens.first, tokens.count > 1 else { return false }
            let parts = date.split { "/.-,".contains($0) }
            return parts.count == 3 && parts.allSatisfy { Int($0) != nil } && date.hasSuffix(",")
                && tokens[1].contains(":")
        case .lower:
            guard let last = tokens.last, last.contains("/") else { return false }
            let isPart = last.split(separator: "/").allSatisfy { Int($0) != nil }
            return isPart && tokens.count == 2 && tokens[0].contains("://")
        }
    }
}

/// Converts Roman numerals.
enum RomanNumeral {
    /// Returns the number in uppercase Roman numerals, or in digits if it is not between 1 and 399.
    static func text(_ number: Int) -> String {
        guard (1...399).contains(number) else { return "\(number)" }
        var (rest, text) = (number, "")
        for (value, letters) in [
            (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
        ] {
            while rest >= value {
                text += letters
                rest -= value
            }
        }
        return text
    }

    /// Parses a Roman numeral up to 399 that is either all uppercase or all lowercase. Returns nil if the text is not a
    /// Roman numeral.
    static func value(_ text: String) -> Int? {
        let lower = text.lowercased()
        guard (1...8).contains(text.utf8.count), text == lower || text == text.uppercased() else { return nil }
        let values: [Character: Int] = ["i": 1, "v": 5, "x": 10, "l": 50, "c": 100]
        let digits = lower.compactMap { values[$0] }
        guard digits.count == lower.count else { return nil }
        var sum = 0
        for (index, digit) in digits.enumerated() {
            sum += index + 1 < digits.count && digits[index + 1] > digit ? -digit : digit
        }
        return sum > 0 ? sum : nil
    }
}
