import SynthDocuments
import SynthJSON

/// A chapter in an EPUB: the text and the start times of its sentences.
struct SpokenPage {
    private struct Sentence {
        let block: Int
        let text: Range<Int>
        let start: Double
        let id: String
    }

    /// The start times of the sentences in a part.
    private struct Times: Decodable {
        struct Sentence: Decodable {
            let start: Double
            /// The byte range in the part's text, given by its start and its exclusive end.
            let bytes: [Int]
        }
        let sentences: [Sentence]
    }

    private let chapter: BookChapter
    /// The sentences in playback order.
    private var sentences: [Sentence] = []
    /// The ranges in each block that are already covered by sentences.
    private var taken: [Int: [Range<Int>]] = [:]

    init(_ chapter: BookChapter) { self.chapter = chapter }

    /// Adds the start times of a part's sentences. Parts must be added in order.
    ///
    /// - Parameters:
    ///   - times: the timings as JSON.
    ///   - start: the part's start in seconds, relative to the chapter's audio.
    /// - Returns: false if `times` is invalid.
    mutating func add(_ part: BookPart, times: [UInt8], at start: Double) -> Bool {
        guard let times = try? JSONReader.read(times).decode(Times.self) else { return false }
        let script = part.script
        for sentence in times.sentences {
            guard sentence.bytes.count == 2, let first = sentence.bytes.first, let last = sentence.bytes.last,
                first < last, sentence.start.isFinite
            else { continue }
            guard let position = script.block(with: first..<last),
                part.blocks.lowerBound + position < chapter.content.blocks.count
            else { continue }
            let own = chapter.content.blocks[part.blocks.lowerBound + position]
            let text = script.text(of: first..<last, in: own, at: position)
            let block = part.blocks.lowerBound + position
            // Repeated text is highlighted only once.
            guard !text.isEmpty, taken[block]?.contains(where: text.overlaps) != true else { continue }
            taken[block, default: []].append(text)
            let begin = max(start + sentence.start, sentences.last?.start ?? 0)
            sentences.append(Sentence(block: block, text: text, start: begin, id: "s\(sentences.count + 1)"))
        }
        return true
    }

    /// The text as XHTML.
    ///
    /// - Parameter language: the book's language.
    func text(language: String, style: String) -> String {
        var body = PageBody()
        let byBlock = Dictionary(grouping: sentences, by: \.block)
        for (index, block) in chapter.content.blocks.enumerated() {
            let marks = (byBlock[index] ?? []).map { (range: $0.text, id: $0.id) }
            body.add(block, PageText(block, marks.sorted { $0.range.lowerBound < $1.range.lowerBound }).text)
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" \
            \(XMLText.language(language))\(XMLText.direction(language))>
            <head>
            <title>\(XMLText.escaped(chapter.shownTitle))</title>
            <link rel="stylesheet" type="text/css" href="\(style)"/>
            </head>
            <body id="text" epub:type="bodymatter">
            \(body.finished)</body>
            </html>

            """
    }

    /// The media overlay as SMIL. It covers all of the audio, because each pause counts as part of the sentence before
    /// it.
    func overlay(text: String, sound: String, seconds: Double) -> String {
        var lines: [String] = []
        // Without timings, the entire text is highlighted.
        let all = sentences.isEmpty ? [(id: "text", start: 0)] : sentences.map { (id: $0.id, start: $0.start) }
        for (index, sentence) in all.enumerated() {
            let start = index == 0 ? 0 : XMLText.milliseconds(min(sentence.start, seconds))
            let end = XMLText.milliseconds(index + 1 < all.count ? min(all[index + 1].start, seconds) : seconds)
            guard start < end else { continue }
            lines.append(
                """
                <par id="p\(index + 1)"><text src="\(text)#\(sentence.id)"/>\
                <audio src="\(sound)" clipBegin="\(XMLText.clock(milliseconds: start))" \
                clipEnd="\(XMLText.clock(milliseconds: end))"/></par>
                """)
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <smil xmlns="http://www.w3.org/ns/SMIL" xmlns:epub="http://www.idpf.org/2007/ops" version="3.0">
            <body epub:textref="\(text)#text" epub:type="bodymatter">
            \(lines.joined(separator: "\n"))
            </body>
            </smil>

            """
    }
}

/// Converts a chapter's blocks into elements, including the list and quotation elements that enclose them.
private struct PageBody {
    private var text = ""
    /// The open elements, outermost first.
    private var open: [String] = []

    mutating func add(_ block: Document.Block, _ content: String) {
        let language = block.language.map { " " + XMLText.language($0) + XMLText.direction($0) } ?? ""
        var around = block.isQuoted ? ["blockquote"] : []
        let element: String
        switch block.kind {
        case .heading(let level): element = "h\(min(max(level, 1), 6))"
        case .paragraph: element = "p"
        case .row, .figure: element = "p class=\"aside\""
        case .code: element = "pre"
        case .scene:
            close(to: 0)
            text += "<hr/>\n"
            return
        case .item(let depth, let number):
            around.append(number == nil ? "ul" : "ol")
            let value = number.map { " value=\"\($0)\"" } ?? ""
            element = "li class=\"depth\(min(max(depth, 1), 6))\"\(value)"
        }
        let kept = zip(open, around).prefix { $0 == $1 }.count
        close(to: kept)
        for name in around[kept...] {
            text += "<\(name)>\n"
            open.append(name)
        }
        let name = element.prefix { $0 != " " }
        text += "<\(element)\(language)>\(content)</\(name)>\n"
    }

    private mutating func close(to count: Int) {
        while open.count > count { text += "</\(open.removeLast())>\n" }
    }

    var finished: String {
        var copy = self
        copy.close(to: 0)
        return copy.text
    }
}

/// A block's text with markup for sentences and emphasis.
private struct PageText {
    private(set) var text = ""

    /// - Parameter sentences: the sentences in text order, without overlap.
    init(_ block: Document.Block, _ sentences: [(range: Range<Int>, id: String)]) {
        let bytes = Array(block.text.utf8)
        let cuts = sentences.flatMap { [$0.range.lowerBound, $0.range.upperBound] }
        let bounds = Set(
            cuts + (block.emphasis + block.passages.map(\.range)).flatMap { [$0.lowerBound, $0.upperBound] } + [
                0, bytes.count,
            ]
        )
        .filter { (0...bytes.count).contains($0) }.sorted()
        var (spoken, stressed) = (sentences[...], block.emphasis[...])
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            if let next = spoken.first, next.range.lowerBound == start { text += "<span id=\"\(next.id)\">" }
            while let first = stressed.first, first.upperBound <= start { stressed.removeFirst() }
            var piece = XMLText.escaped(String(decoding: bytes[start..<end], as: UTF8.self))
            if block.kind != .code { piece = piece.replacing("\n", with: "<br/>") }
            if stressed.first?.contains(start) == true { piece = "<em>\(piece)</em>" }
            if let passage = block.passages.first(where: { $0.range.contains(start) }) {
                let language = XMLText.language(passage.language) + XMLText.direction(passage.language)
                piece = "<span \(language)>\(piece)</span>"
            }
            text += piece
            if let next = spoken.first, next.range.upperBound == end {
                text += "</span>"
                spoken.removeFirst()
            }
        }
    }
}
