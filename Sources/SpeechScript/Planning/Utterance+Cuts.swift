extension Utterance {
    /// The same as several utterances, one for each mark inside: for an engine that does not say when a word begins.
    package var cutAtMarks: [Utterance] {
        var cuts = marks.map(\.offset).filter { offset in
            // What is said as a whole stays whole.
            offset > 0
                && !(pronunciations.map(\.range) + readings.map(\.range)).contains {
                    $0.lowerBound < offset && offset < $0.upperBound
                }
        }
        cuts.append(text.utf8.count)
        return cut(at: cuts)
    }

    /// The same as several utterances, without those that hold nothing but white space. At least one.
    ///
    /// - Parameter ends: of the parts, in bytes of the text, in ascending order; the last is that of the text.
    func cut(at ends: [Int]) -> [Utterance] {
        let bytes = Array(text.utf8)
        var parts: [Utterance] = []
        var start = 0
        for end in ends where end > start {
            let isLast = end == bytes.count
            if let part = part(start..<end, of: bytes, isLast: isLast) {
                parts.append(part)
                start = end
            }
        }
        return parts.isEmpty ? [self] : parts
    }

    /// What of it begins at a place in the document, or later; all of it if nothing does.
    package func rest(from source: Int) -> Utterance {
        var offset = 0
        for character in text {
            let length = character.utf8.count
            if self.source.sourceRange(of: offset..<offset + length).lowerBound >= source { break }
            offset += length
        }
        guard offset > 0, offset < text.utf8.count else { return self }
        return cut(at: [offset, text.utf8.count]).last ?? self
    }

    /// The same without white space at either end.
    var trimmed: Utterance {
        guard text.utf8.first == 0x20 || text.utf8.last == 0x20 else { return self }
        let bytes = Array(text.utf8)
        if var part = part(0..<bytes.count, of: bytes, isLast: true) {
            let first = bytes.firstIndex { $0 != 0x20 } ?? 0
            part.written = written.map { written in
                Written(
                    text: written.text, source: written.source, characters: written.characters,
                    maps: [SourceMap(offset: first)] + written.maps)
            }
            return part
        }
        return Utterance(text: "", source: source, pauseAfter: pauseAfter, style: style, marks: marks)
    }

    /// nil if there is only white space.
    private func part(_ range: Range<Int>, of bytes: [UInt8], isLast: Bool) -> Utterance? {
        let space = UInt8(ascii: " ")
        guard let first = range.first(where: { bytes[$0] != space }),
            let last = range.last(where: { bytes[$0] != space })
        else { return nil }
        let visible = first..<last + 1
        var mapped = MappedText()
        mapped.append(visible, of: bytes.span, from: source)
        var back = MappedText()
        back.append(visible, of: bytes.span, from: SourceMap(offset: 0))
        return Utterance(
            text: mapped.text, source: mapped.source, pauseAfter: isLast ? pauseAfter : .none,
            characters: CharacterPlaces(back.source, to: text, characters), style: style,
            pronunciations: pronunciations.filter { visible.contains($0.range.lowerBound) }.map {
                Pronunciation(range: $0.range.lowerBound - first..<$0.range.upperBound - first, value: $0.value)
            },
            readings: readings.filter {
                visible.contains($0.range.lowerBound) && $0.range.upperBound <= visible.upperBound
            }
            .map { Reading(range: $0.range.lowerBound - first..<$0.range.upperBound - first, value: $0.value) },
            marks: marks.filter { range.contains($0.offset) || isLast && $0.offset >= range.upperBound }.map {
                Mark(name: $0.name, offset: max(0, $0.offset - first), source: $0.source)
            })
    }
}
