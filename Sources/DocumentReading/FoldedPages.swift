/// The text of printed pages, with a form feed after each, as one text: without what stands on each page only because it is a page.
struct FoldedPages {
    private var pages: [[Substring]]

    /// nil = the text has no pages.
    init?(_ text: String) {
        guard text.utf8.contains(Self.formFeed) else { return nil }
        pages = text.split(separator: "\u{C}", omittingEmptySubsequences: true)
            .map {
                $0.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" || $0 == "\r" })
            }
    }

    private static let formFeed: UInt8 = 0x0C

    var text: String {
        var folded = pages.map(Self.trimmed)
        for place in [Place.first, .last] {
            let heads = Self.repeated(folded, place)
            for index in folded.indices {
                guard let line = place.line(of: folded[index]),
                    Self.isPageNumber(line) || heads.contains(Self.shape(line))
                else { continue }
                place.remove(from: &folded[index])
                folded[index] = Self.trimmed(folded[index])
            }
        }
        var result = ""
        for page in folded where !page.isEmpty {
            if !result.isEmpty { result += Self.goesOn(result, page[0]) ? "\n" : "\n\n" }
            result += page.joined(separator: "\n")
        }
        return result
    }

    private enum Place {
        case first, last

        func line(of page: [Substring]) -> Substring? { self == .first ? page.first : page.last }

        func remove(from page: inout [Substring]) {
            if self == .first { page.removeFirst() } else { page.removeLast() }
        }
    }

    /// Without empty lines at its ends.
    private static func trimmed(_ page: [Substring]) -> [Substring] {
        let isEmpty = { (line: Substring) in line.allSatisfy(\.isWhitespace) }
        guard let first = page.firstIndex(where: { !isEmpty($0) }), let last = page.lastIndex(where: { !isEmpty($0) })
        else { return [] }
        return Array(page[first...last])
    }

    /// What stands at one place of three pages and more, but for its numbers: the title of the book, of a chapter, a page's number.
    private static func repeated(_ pages: [[Substring]], _ place: Place) -> Set<String> {
        let lines = pages.compactMap { place.line(of: $0) }.filter { $0.count <= 80 }
        return Set(Dictionary(grouping: lines, by: shape).filter { $0.value.count >= 3 }.keys)
    }

    private static func shape(_ line: Substring) -> String {
        line.split(whereSeparator: \.isWhitespace).map { $0.allSatisfy(\.isNumber) ? "0" : String($0) }.joined(
            separator: " ")
    }

    /// "17", "- 17 -", "xvii".
    private static func isPageNumber(_ line: Substring) -> Bool {
        let bare = line.filter { $0.isLetter || $0.isNumber }
        guard !bare.isEmpty, bare.count <= 6, line.count <= 20 else { return false }
        return bare.allSatisfy { $0.isASCII && $0.isNumber } || bare.allSatisfy { "ivxlc".contains($0) }
    }

    /// Whether a sentence goes on from one page to the next.
    private static func goesOn(_ text: String, _ next: Substring) -> Bool {
        guard let last = text.last(where: { !$0.isWhitespace }), let first = next.first(where: { !$0.isWhitespace })
        else {
            return false
        }
        return first.isLowercase || last.isLetter || ",;-".contains(last)
    }
}
