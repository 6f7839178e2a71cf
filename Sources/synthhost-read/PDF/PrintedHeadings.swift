/// Finds the headings among paragraphs, based on bookmarks and typography.
struct PrintedHeadings {
    /// Heading levels, starting at 1, keyed by paragraph index.
    private(set) var levels: [Int: Int] = [:]
    /// The start positions and titles of the chapters, in order.
    private(set) var starts: [(place: Int, title: String)] = []
    /// The indices of paragraphs that continue the preceding heading.
    private(set) var joined: Set<Int> = []
    /// Headings whose text differs from the printed text, keyed by paragraph index: the bookmark's spelling of an
    /// all-caps heading, or a chapter number with the title below it.
    private(set) var texts: [Int: String] = [:]
    /// The text in the largest font on the first page, if it is a title.
    private(set) var title: String?

    private let bodySize: Int
    private static let ofTitle = 1 << 30
    /// The number of comparisons between paragraphs and bookmarks. Once it reaches a limit, each remaining bookmark is
    /// assigned to the first paragraph on its page.
    private var work = 0
    private static let maximumWork = 300_000

    init(_ paragraphs: [PrintedParagraph], bookmarks: [PrintedPages.Bookmark], bodySize: Int) {
        self.bodySize = bodySize
        findTitle(paragraphs)
        let marks = bookmarks.filter { $0.page > 0 && !Self.key($0.title).isEmpty }
        if marks.count > 1 {
            findBookmarks(marks, paragraphs)
            if let place = paragraphs.prefix(12).firstIndex(where: { $0.text == title }), levels[place] == nil,
                place < starts.first?.place ?? 0
            {
                levels[place] = 1
            }
            return
        }
        findPrinted(paragraphs)
        for place in levels.keys.sorted() {
            let first =
                Self.shown(paragraphs[place])
                + (joined.contains(place + 1) && Self.isNumber(paragraphs[place]) ? "." : "")
            let text = ([first] + rest(place, paragraphs).map(\.text)).joined(separator: " ")
            if first.hasSuffix("."), joined.contains(place + 1) { texts[place] = text }
            starts.append((place, text))
        }
    }

    /// Returns the lines of the paragraphs that continue a heading.
    func rest(_ place: Int, _ paragraphs: [PrintedParagraph]) -> [PrintedLine] {
        var lines: [PrintedLine] = []
        var next = place + 1
        while joined.contains(next) {
            lines += paragraphs[next].lines
            next += 1
        }
        return lines
    }

    /// Returns only the letters and digits of the text, for comparison.
    static func key(_ text: String) -> String { String(text.lowercased().filter { $0.isLetter || $0.isNumber }) }

    /// Returns the same text as `key`, but without a number such as that in "2.1 Methods" or "Chapter 2: Methods".
    private static func bareKey(_ text: String) -> String {
        let words = text.split(separator: " ")
        let isNamed =
            words.count > 2
            && (PlainTextReader.names.contains(words[0].lowercased()) || words[0].lowercased() == "section")
            && isLabel(words[1])
        let rest = words.dropFirst(isNamed ? 1 : 0)
        let first = rest.first.map { $0.allSatisfy { $0.isNumber || ".:".contains($0) } || isNamed } ?? false
        return key(rest.dropFirst(first && rest.count > 1 ? 1 : 0).joined(separator: " "))
    }

    /// Whether the word is a number or a letter: "2.1", "IV:", "A".
    private static func isLabel(_ word: Substring) -> Bool {
        word.first?.isNumber == true || PlainTextReader.isNumber(word) || word.filter(\.isLetter).count == 1
    }

    private mutating func findTitle(_ paragraphs: [PrintedParagraph]) {
        let first = paragraphs.prefix { $0.page == 1 }.filter { $0.kind == .text && $0.marker == nil }
        guard let largest = first.prefix(12).max(by: { $0.size < $1.size }), largest.size * 10 > 12 * bodySize,
            largest.text.count <= 200,
            Self.depth(largest.text) == 0,
            largest.text.contains(where: \.isLetter)
        else { return }
        title = largest.text
    }

    // MARK: - Bookmarks

    private mutating func findBookmarks(_ bookmarks: [PrintedPages.Bookmark], _ paragraphs: [PrintedParagraph]) {
        var pages: [Int: Range<Int>] = [:]
        for (place, paragraph) in paragraphs.enumerated() {
            pages[paragraph.page] = (pages[paragraph.page]?.lowerBound ?? place)..<place + 1
        }
        var from = 0
        for mark in bookmarks {
            // If the page contains no text, use the next page that contains text.
            var page = mark.page
            while pages[page] == nil, page < mark.page + 3 { page += 1 }
            guard let range = pages[page] else { continue }
            let candidates = range.lowerBound < from ? from..<max(from, range.upperBound) : range
            if let (place, count) = find(mark.title, in: candidates, paragraphs)
                ?? find(mark.title, in: pages[page + 1] ?? 0..<0, paragraphs, isExact: true)
            {
                // The previous paragraph may contain the chapter number.
                let hasNumber =
                    place > from && paragraphs[place - 1].page == paragraphs[place].page
                    && Self.isNumber(paragraphs[place - 1])
                let first = hasNumber ? place - 1 : place
                levels[first] = min(mark.level, 6)
                for next in first + 1..<place + count { joined.insert(next) }
                let printed = paragraphs[place..<place + count].map(\.text).joined(separator: " ")
                if printed == printed.uppercased(), mark.title != mark.title.uppercased() {
                    texts[first] = hasNumber ? "\(paragraphs[first].text). \(mark.title)" : mark.title
                }
                starts.append((first, mark.title))
                from = place + count
            } else if !candidates.isEmpty, starts.last?.place != candidates.lowerBound {
                let place = max(candidates.lowerBound, from)
                starts.append((place, mark.title))
                from = place + 1
            }
        }
    }

    /// Finds the paragraphs that contain a bookmark's title. Returns the index of the first paragraph and the number of
    /// paragraphs.
    private mutating func find(
        _ title: String, in range: Range<Int>, _ paragraphs: [PrintedParagraph], isExact: Bool = false
    ) -> (place: Int, count: Int)? {
        let (whole, bare) = (Self.key(title), Self.bareKey(title))
        guard !whole.isEmpty else { return nil }
        guard work < Self.maximumWork else { return nil }
        var best: (place: Int, count: Int, rank: Int)?
        for place in range where isShort(paragraphs[place]) {
            var text = Self.shown(paragraphs[place])
            work += 1
            for count in 1...4 {
                if count > 1 {
                    let next = place + count - 1
                    guard range.contains(next), isShort(paragraphs[next]), paragraphs[next].marker == nil,
                        paragraphs[next].size == paragraphs[place].size
                            && paragraphs[next].isBold == paragraphs[place].isBold || text.count <= 16
                    else { break }
                    text += " " + paragraphs[next].text
                }
                let own = Self.key(text)
                if own == whole, count == 1 { return (place, count) }
                if own.count > whole.count + 40 { break }
                let isSuffix = own.hasSuffix(bare) && own.count <= bare.count + 14 && bare.count > 3
                let rank =
                    own == whole
                    ? 1
                    : isExact || bare.isEmpty
                        ? 9
                        : own == bare || Self.bareKey(text) == bare ? 1 + count : isSuffix && count <= 2 ? 5 + count : 9
                if rank < best?.rank ?? 9 { best = (place, count, rank) }
            }
        }
        return best.map { ($0.place, $0.count) }
    }

    private static func shown(_ paragraph: PrintedParagraph) -> String {
        [paragraph.marker, paragraph.text].compactMap { $0 }.joined(separator: " ")
    }

    /// Whether the paragraph contains only a number: "IV", "Chapter 4", "FOUR".
    private static func isNumber(_ paragraph: PrintedParagraph) -> Bool {
        guard paragraph.kind == .text, paragraph.marker == nil, paragraph.text.count <= 24 else { return false }
        let words = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ]
        let text = paragraph.text.lowercased()
        return text.allSatisfy(\.isNumber) || words.contains(String(text.prefix { $0.isLetter })) && !text.contains(" ")
            || PlainTextReader.heading([paragraph.text]) != nil
    }

    private func isShort(_ paragraph: PrintedParagraph) -> Bool {
        paragraph.kind == .text && paragraph.lines.count <= 4 && paragraph.text.utf8.count <= 400
    }

    // MARK: - Typography

    private mutating func findPrinted(_ paragraphs: [PrintedParagraph]) {
        var styles: [(place: Int, size: Int, isBold: Bool, depth: Int)] = []
        var hasBody = false
        var place = 0
        while place < paragraphs.count {
            let paragraph = paragraphs[place]
            let next = place + 1 < paragraphs.count ? paragraphs[place + 1] : nil
            let isTitle = !hasBody && paragraph.page == 1 && paragraph.text == title
            let isBeside =
                next.map(paragraph.isBeside) ?? false || place > 0 && paragraph.isBeside(paragraphs[place - 1])
            // Above the body text on the first page, large text may be an author's name rather than a heading.
            if !isBeside, isHeading(paragraph, before: next),
                hasBody || isTitle || paragraph.page > 1 || title == nil || next?.text.count ?? 0 > 100
                    || isNumbered(paragraph)
                    || Self.isNamed(paragraph)
            {
                var count = 1
                while let more = place + count < paragraphs.count ? paragraphs[place + count] : nil, count < 4,
                    continuesText(more, paragraph)
                {
                    joined.insert(place + count)
                    count += 1
                }
                styles.append(
                    (
                        place, isTitle ? Self.ofTitle : paragraphs[place..<place + count].map(\.size).max() ?? 0,
                        paragraph.isBold,
                        Self.depth(Self.shown(paragraph))
                    ))
                place += count
                continue
            }
            if paragraph.text.count > 120 || paragraph.marker != nil { hasBody = true }
            place += 1
        }
        // A larger font suggests a higher heading level, but section numbers are more reliable than font sizes.
        let ranks = Set(styles.filter { $0.size < Self.ofTitle }.map { $0.size * 2 + ($0.isBold ? 1 : 0) }).sorted(
            by: >)
        for style in styles {
            let rank = (ranks.firstIndex(of: style.size * 2 + (style.isBold ? 1 : 0)) ?? 0) + 1
            levels[style.place] = min(style.size == Self.ofTitle ? 1 : style.depth > 0 ? style.depth : rank, 6)
        }
    }

    private func isHeading(_ paragraph: PrintedParagraph, before next: PrintedParagraph?) -> Bool {
        guard paragraph.kind == .text, paragraph.lines.count <= 3, paragraph.text.count <= 160,
            paragraph.text.contains(where: \.isLetter) || Self.isNamed(paragraph),
            let next
        else { return false }
        let text = paragraph.text
        let isLarge = paragraph.size * 100 >= 112 * bodySize
        if let marker = paragraph.marker, !(marker.contains(where: \.isNumber) && (isLarge || paragraph.isBold)) {
            return false
        }
        let letters = text.filter(\.isLetter)
        if paragraph.lines.contains(where: \.isSymbols) || letters.count < 3 && !Self.isNamed(paragraph) {
            return false
        }
        if isLarge { return !(text.hasSuffix(",") || text.hasSuffix(";")) }
        guard paragraph.isApart, paragraph.lines.count <= 2, let last = text.last, !",;:".contains(last) else {
            return false
        }
        if paragraph.size * 100 < 97 * bodySize && !paragraph.isBold { return false }
        if paragraph.isBold {
            let isSentence = ".!?".contains(last) && text.split(separator: " ").count > 8
            return text.count <= 110 && !isSentence && !(next.isBold && next.kind == .text && next.text.count > 110)
                && next.kind != .row
        }
        guard paragraph.isApartBelow, paragraph.isOpenEnded || paragraph.lines.count == 1 else { return false }
        if Self.isNamed(paragraph) { return true }
        return letters.count > 3 && letters.allSatisfy { $0.isUppercase || !$0.isCased } && text.count <= 70
            && paragraph.lines.count == 1
    }

    /// Whether the heading is a chapter name: "Chapter IV", "Prologue", "第一章".
    private static func isNamed(_ paragraph: PrintedParagraph) -> Bool {
        paragraph.kind == .text && paragraph.marker == nil && paragraph.isApart && paragraph.isApartBelow
            && PlainTextReader.heading(paragraph.lines.map(\.text)) != nil
    }

    private func isNumbered(_ paragraph: PrintedParagraph) -> Bool {
        Self.depth(Self.shown(paragraph)) > 0
    }

    /// Whether a paragraph continues a heading, either as another line of the heading or as a title below a number.
    private func continuesText(_ next: PrintedParagraph, _ heading: PrintedParagraph) -> Bool {
        guard next.kind == .text, next.page == heading.page, next.marker == nil, next.lines.count <= 2,
            next.text.count <= 120,
            Self.depth(next.text) == 0
        else { return false }
        if Self.isNumber(heading) { return next.size * 100 >= 112 * bodySize || next.isBold }
        return next.size == heading.size && next.isBold == heading.isBold && heading.size * 10 > 12 * bodySize
    }

    /// Returns the level implied by a section number, such as 2 for "3.1 Methods", or 0 if there is no number.
    private static func depth(_ text: String) -> Int {
        guard let word = text.split(separator: " ").first, word.contains(where: \.isNumber), text.contains(" ") else {
            return 0
        }
        let parts = word.split(separator: ".")
        guard parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } && $0.count <= 3 }) else { return 0 }
        return parts.count
    }
}
