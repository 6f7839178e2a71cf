/// Extracts footnotes from the text.
struct PrintedNotes {
    /// The lines of the footnotes, keyed by page and then by footnote number or symbol.
    private(set) var lines: [Int: [String: [PrintedLine]]] = [:]
    var marks: [Int: Set<String>] { lines.mapValues { Set($0.keys) } }
    private let bodySize: Int
    private var last: (page: Int, mark: String, size: Int)?
    /// The footnote references in the text of the previous page.
    private var earlier: Set<String> = []

    init(bodySize: Int) { self.bodySize = bodySize }

    /// Extracts the footnotes of a page and returns the remaining blocks.
    mutating func taken(from blocks: [PrintedBlock], height: Int) -> [PrintedBlock] {
        // Each block is compared with all others, so limit the number of blocks.
        guard blocks.count <= PrintedOrder.maximumBlocks else { return blocks }
        var rest: [PrintedBlock] = []
        var raised = Set(
            blocks.flatMap(\.rows).flatMap(\.cells).flatMap { $0.pieces.dropFirst() }.filter { $0.position == .raised }
                .flatMap { $0.text.split { ", ".contains($0) }.map(String.init) })
        for row in blocks.flatMap(\.rows) where row.text.contains(where: \.isNumber) {
            for word in row.text.split(separator: " ") {
                if let mark = PrintedTexts.mark(atEndOf: word) { raised.insert(mark) }
            }
        }
        let own = raised
        raised.formUnion(earlier)
        earlier = own
        for (index, block) in blocks.enumerated() {
            let isLast = !blocks.enumerated().contains { place, other in
                other.size > block.size && other.left < block.right && other.right > block.left
                    && (place < index ? other.top > block.bottom : other.top >= block.bottom)
            }
            let isSmall = block.size * 100 <= 94 * bodySize
            guard isSmall, isLast, block.top * 100 > 30 * height, let first = block.rows.first else {
                rest.append(block)
                continue
            }
            let mark = Self.mark(first, raised)
            let isNote = mark.map { $0.isRaised || raised.contains($0.text) } ?? false
            let continuesText =
                last.map {
                    abs($0.size - block.size) <= 1 && $0.page >= block.page - 1 && block.top * 100 > 55 * height
                } ?? false
            guard isNote || continuesText, !Self.isCaption(first.text) else {
                rest.append(block)
                continue
            }
            for row in block.rows { add(row, page: block.page, raised) }
        }
        return rest
    }

    private mutating func add(_ row: PrintedRow, page: Int, _ raised: Set<String>) {
        var line = PrintedLine(joining: row.cells)
        if let mark = Self.mark(row, raised), mark.isRaised || raised.contains(mark.text) || last == nil {
            line.removePrefix(mark.length, left: nil)
            last = (page, mark.text, row.size)
        }
        guard let last else { return }
        lines[last.page, default: [:]][last.mark, default: []].append(line)
    }

    /// Returns the number or symbol at the beginning of a footnote, such as "3", "*" or "†", and its length in
    /// characters.
    private static func mark(_ row: PrintedRow, _ raised: Set<String>) -> (text: String, length: Int, isRaised: Bool)? {
        guard let piece = row.cells.first?.pieces.first else { return nil }
        let text = row.text
        if piece.position == .raised {
            let bare = piece.text.trimmed { ".)] [(".contains($0) }
            return PrintedTexts.isMark(bare)
                ? (bare, piece.text.count + (text.dropFirst(piece.text.count).first == " " ? 1 : 0), true) : nil
        }
        guard let word = text.split(separator: " ").first else { return nil }
        let bare = String(word).trimmed { ".)] [(".contains($0) }
        if PrintedTexts.isMark(bare), !bare.contains(where: \.isLetter) { return (bare, word.count + 1, false) }
        // In "1The text", the number is a superscript that has the same font size as the text.
        let digits = String(word.prefix { $0.isASCII && $0.isNumber })
        if raised.contains(digits), word.dropFirst(digits.count).first?.isLetter ?? false {
            return (digits, digits.count, true)
        }
        // A symbol may directly precede the text, as in "*Corresponding author".
        let signs = String(word.prefix { "*∗†‡§¶".contains($0) })
        return signs.isEmpty || !PrintedTexts.isMark(signs) ? nil : (signs, signs.count, true)
    }

    static func isCaption(_ text: String) -> Bool {
        let words = ["figure", "fig.", "table", "abbildung", "abb.", "tabelle", "tableau", "figura", "tabla"]
        return words.contains { text.lowercased().hasPrefix($0) }
    }
}

/// Removes tables of contents. Listeners do not need the page numbers, and the titles appear again at the start of the
/// chapters.
enum ContentsRows {
    private static let names: Set = [
        "contents", "tableofcontents", "inhaltsverzeichnis", "inhalt", "tabledesmatières", "sommaire", "índice",
        "indice", "sommario",
        "spistreści", "содержание", "оглавление", "inhoud", "inhoudsopgave", "目录", "目次", "sumário", "contenido",
        "listoffigures", "listoftables",
    ]

    static func removed(from pages: [[PrintedRow]]) -> [[PrintedRow]] {
        var isInside = false
        return pages.map { rows in
            let dotted = rows.map { isDotted($0.text) }
            let title = rows.firstIndex { names.contains(PrintedHeadings.key($0.text)) }
            let isEntry = rows.indices.map { dotted[$0] || endsInNumber(rows[$0]) }
            let entries = isEntry.count { $0 }
            isInside = dotted.count { $0 } >= 2 || title != nil && entries >= 2 || isInside && entries * 2 > rows.count
            guard isInside else { return rows }
            let (first, last) = (isEntry.firstIndex(of: true) ?? 0, isEntry.lastIndex(of: true) ?? 0)
            // A long entry includes lines without a page number.
            let isWhole = entries >= 4 && (last - first + 1 - entries) * 2 < entries
            return rows.indices.filter { place in
                !(isEntry[place] || place == title || isWhole && first < place && place < last)
            }.map { rows[$0] }
        }
    }

    /// Whether the row is an entry with leader dots: "Introduction . . . . . . 3".
    private static func isDotted(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        guard let last = words.last, isPage(last) || text.hasSuffix("..") else { return false }
        var dots = 0
        for character in text.reversed().drop(while: { $0 != "." && $0 != "…" && $0 != "·" }) {
            if character == " " { continue }
            guard character == "." || character == "…" || character == "·" else { break }
            dots += character == "…" ? 3 : 1
        }
        return dots >= 4
    }

    private static func endsInNumber(_ row: PrintedRow) -> Bool {
        guard let last = row.cells.last?.text.split(separator: " ").last, row.text.contains(" ") else { return false }
        return isPage(last) && (row.cells.count > 1 || row.text.count <= 100) && row.text.contains(where: \.isLetter)
    }

    private static func isPage(_ word: Substring) -> Bool {
        word.count <= 6
            && (word.allSatisfy { $0.isASCII && $0.isNumber } || RomanNumeral.value(String(word)) != nil
                || word.split(separator: "-").allSatisfy { $0.allSatisfy(\.isNumber) })
    }
}
