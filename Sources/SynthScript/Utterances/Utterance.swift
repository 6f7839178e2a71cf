/// The text of one synthesis request.
package struct Utterance: Sendable, Equatable {
    /// The maximum size of `text` in UTF-8 bytes, regardless of the limits.
    package static let maximumBytes = 65_536

    /// A range of the text with a known pronunciation or type.
    package struct Passage<Value: Equatable & Sendable>: Sendable, Equatable {
        /// The byte range in the text. Never empty.
        package var range: Range<Int>
        package var value: Value

        func shifted(by distance: Int) -> Passage { Passage(range: range.shifted(by: distance), value: value) }
    }
    package typealias Pronunciation = Passage<ScriptPronunciation>
    /// A range of text of a known type, such as a date.
    package typealias Reading = Passage<ScriptReading>

    /// A named position that is reported to the listener.
    package struct Mark: Sendable, Equatable {
        package var name: String
        /// The byte offset in the text.
        package var offset: Int
        /// The range in the document.
        package var source: Range<Int>

        /// Returns the mark with its offset shifted by a distance, but not before the start of the text.
        func shifted(by distance: Int) -> Mark { Mark(name: name, offset: max(0, offset + distance), source: source) }
    }

    /// The text before normalization.
    package struct Written: Sendable, Equatable {
        package let text: String
        package let source: SourceMap
        package let characters: CharacterPositions
        /// The maps from the spoken text back to the written text, in the order in which to apply them.
        let maps: [SourceMap]

        /// Returns the byte range in the written text for a range of the spoken text.
        package func range(of said: Range<Int>) -> Range<Int> { maps.reduce(said) { $1.sourceRange(of: $0) } }
    }

    /// The spoken text. It is not empty and contains no control characters (including NUL and line breaks) and no
    /// leading or trailing white space.
    package let text: String
    /// The source positions of the text in the document.
    package let source: SourceMap
    package var pauseAfter: PauseKind
    /// The document positions of the text's characters.
    package let characters: CharacterPositions
    package var style: ScriptStyle
    /// The pronunciations, sorted by position and without overlaps.
    package let pronunciations: [Pronunciation]
    /// The readings, sorted by position and without overlaps. Empty for an edited utterance, because the readings of an
    /// utterance are replaced before any other edits are applied.
    package let readings: [Reading]
    /// The marks, sorted by offset.
    package var marks: [Mark]
    /// The pitch changes, sorted by offset. The first one is at offset 0. Empty if the pitch of the style applies to
    /// all of the text.
    package let pitches: [Pitch]
    /// The text before normalization, or nil if the text is spoken as written.
    package var written: Written?

    package init(
        text: String, source: SourceMap, pauseAfter: PauseKind, characters: CharacterPositions = .copied(),
        style: ScriptStyle = ScriptStyle(), pronunciations: [Pronunciation] = [], readings: [Reading] = [],
        marks: [Mark] = [], pitches: [Pitch] = []
    ) {
        self.text = text
        self.source = source
        self.pauseAfter = pauseAfter
        self.characters = characters
        self.style = style
        self.pronunciations = pronunciations
        self.readings = readings
        self.marks = marks
        self.pitches = pitches.count > 1 ? pitches : []
        if let first = pitches.first { (self.style.pitch, self.style.contour) = (first.factor, first.contour) }
    }

    /// The byte range in the document.
    package var sourceRange: Range<Int> {
        source.sourceRange(of: 0..<text.utf8.count)
    }
}

/// Limits on the length of utterances. Lengths are in Unicode scalars, as engines count them.
package struct UtteranceLimits: Sendable, Equatable {
    /// The maximum length, from 1 to 16,384, so that text in any script fits in `Utterance.maximumBytes`. Longer
    /// sentences are split.
    package let scalars: Int
    /// If set, the first utterance (and the first after `PlainTextScript.restartFromBeginning()`) ends at the first
    /// clause mark after this many scalars, provided that at least as many scalars follow in the sentence. As a result,
    /// playback starts earlier.
    package let firstClauseAfter: Int?
    /// Whether the text is plain text, in which HTML tags and the lines of a list or poem separate sentences. In text
    /// from a markup format, angle brackets and line breaks have no special meaning.
    var isPlain = true

    /// Limits that make playback start early. The first utterance has about four words if a clause ends there.
    package static let early = UtteranceLimits(firstClauseAfter: 20)

    /// Creates limits. Out-of-range values are clamped.
    package init(scalars: Int = 2_000, firstClauseAfter: Int? = nil) {
        self.scalars = min(max(scalars, 1), Utterance.maximumBytes / 4)
        self.firstClauseAfter = firstClauseAfter.map { max($0, 1) }
    }
}

extension Utterance {
    /// The parts of the utterance between its marks, for engines that do not report word timings.
    package var cutAtMarks: [Utterance] { cut(before: marks.map(\.offset)) }

    /// The parts of the utterance between its pitch changes, for engines that cannot change the pitch within a request.
    package var cutAtPitches: [Utterance] { cut(before: pitches.map(\.offset)) }

    private func cut(before offsets: [Int]) -> [Utterance] {
        cut(at: offsets.filter { $0 > 0 && !isInsideWhole($0) } + [text.utf8.count])
    }

    /// Whether the offset is within a range that must not be split.
    func isInsideWhole(_ offset: Int) -> Bool {
        (pronunciations.map(\.range) + readings.map(\.range)).contains {
            $0.lowerBound < offset && offset < $0.upperBound
        }
    }

    /// Splits the utterance and drops parts that contain only white space. Returns at least one part.
    ///
    /// - Parameter ends: the end offsets of the parts, in bytes and in ascending order. The last one is the end of the
    ///   text.
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

    /// Returns the part of the utterance from a document position onward, or the entire utterance if no text starts at
    /// or after that position.
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

    /// Returns a part of the utterance without surrounding white space, or nil if the range contains only white space.
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
            characters: .edited(back.source, to: text, characters), style: style,
            pronunciations: pronunciations.filter { visible.contains($0.range.lowerBound) }
                .map { $0.shifted(by: -first) },
            readings: readings.filter {
                visible.contains($0.range.lowerBound) && $0.range.upperBound <= visible.upperBound
            }
            .map { $0.shifted(by: -first) },
            marks: marks.filter { range.contains($0.offset) || isLast && $0.offset >= range.upperBound }
                .map { $0.shifted(by: -first) },
            pitches: pitches.within(visible))
    }
}

extension Utterance {
    /// Whether the utterance ends with a punctuation mark at which speakers pause.
    package var endsClause: Bool {
        for scalar in text.unicodeScalars.reversed() {
            switch ScalarClass.of(scalar.value) {
            case .clause, .wideClause, .dash, .ellipsis, .strong, .wide, .period: return true
            case .quote, .turnedQuote, .leftGuillemet, .rightGuillemet, .closer: continue
            default: return false
            }
        }
        return false
    }
}
