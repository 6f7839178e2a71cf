import SynthScript
package import SynthVerbalization

/// Invariants for every text.
package enum WordInvariants {
    /// The maximum number of steps per byte, which is more than any text needs.
    package static let stepsForByte = 1000

    /// The maximum number of bytes in the words. A digit yields at most "quatre-vingt-dix-neuf" and a space, but a unit
    /// or an emoji has a longer name.
    package static func most(for count: Int) -> Int { 32 * count + 200 }

    /// The violated invariants; empty if there are none.
    package static func violations(in text: String, by verbalizer: Verbalizer) -> [String] {
        let markup = StrayMarkup.replacements(in: text)
        var found = violations(of: markup, in: text)
        let clean = markup.applied(to: text)
        let before = verbalizer.work
        let replacements = verbalizer.replacements(in: clean)
        let steps = verbalizer.work - before
        if steps > stepsForByte * (clean.utf8.count + 1) {
            found.append("\(steps) steps for \(clean.utf8.count) bytes")
        }
        found += violations(of: replacements, in: clean)
        // Reference marks of notes and emoticons such as ":o" are dropped.
        for replacement in replacements
        where replacement.kind != "note" && !replacement.words.contains(where: { !$0.isWhitespace })
            && !(replacement.kind == "emoji" && Array(clean.utf8)[replacement.range].allSatisfy { $0 < 0x80 })
        {
            found.append("\(replacement.kind) at \(replacement.range) has no words")
        }
        found += utterances(of: text, by: verbalizer)
        return found
    }

    /// The violated invariants of replacements: they lie within the text, in order, on character boundaries, with words of
    /// limited length.
    package static func violations(of replacements: [Replacement], in text: String) -> [String] {
        let bytes = Array(text.utf8)
        var found: [String] = []
        var end = 0
        for replacement in replacements {
            let range = replacement.range
            guard range.lowerBound >= end, !range.isEmpty, range.upperBound <= bytes.count else {
                found.append("\(replacement.kind) at \(range) after \(end) of \(bytes.count)")
                continue
            }
            for border in [range.lowerBound, range.upperBound]
            where border < bytes.count && UTF8.isContinuation(bytes[border]) {
                found.append("\(replacement.kind) at \(range) cuts a character")
            }
            if replacement.words.utf8.count > most(for: range.count) {
                found.append("\(replacement.kind) at \(range): \(replacement.words)")
            }
            end = range.upperBound
        }
        return found
    }

    /// The violated invariants of changed utterances: every position lies within the text, in order.
    private static func utterances(of text: String, by verbalizer: Verbalizer) -> [String] {
        var script = PlainTextScript()
        // Invalid texts are covered by the tests of the readers.
        guard (try? script.append(text)) != nil, (try? script.finish()) != nil else { return [] }
        var found: [String] = []
        let document = Array(text.utf8)
        while let utterance = script.next() {
            let whole = utterance.sourceRange
            var said = utterance.applying(edits(StrayMarkup.replacements(in: utterance.text)))
            said = said.applying(edits(verbalizer.replacements(in: said.text)))
            var last = 0
            var offset = 0
            for scalar in said.text.unicodeScalars {
                let count = UTF8.width(scalar)
                let location = said.source.sourceRange(of: offset..<offset + count)
                offset += count
                if location.lowerBound < max(last, whole.lowerBound) || location.upperBound > whole.upperBound {
                    found.append("\(scalar) at \(location) after \(last) of \(whole)")
                }
                last = location.lowerBound
                // A multi-byte control character is replaced by one space per byte, and these spaces are not at
                // character boundaries.
                if scalar == " " { continue }
                for border in [location.lowerBound, location.upperBound]
                where border < document.count && UTF8.isContinuation(document[border]) {
                    found.append("\(scalar) at \(location) cuts a character")
                }
            }
        }
        return found
    }

    private static func edits(_ replacements: [Replacement]) -> [TextEdit] {
        replacements.map { TextEdit(range: $0.range, replacement: .text($0.words)) }
    }
}
