/// A replacement for a range of text, applied before the text is spoken.
package struct TextEdit: Sendable, Equatable {
    /// The text or pronunciation that replaces the range.
    package enum Replacement: Sendable, Equatable {
        case text(String)
        /// The pronunciation of the original words, in IPA.
        case pronunciation(String, LexiconLine? = nil)
    }

    /// The byte range, on character boundaries. Never empty.
    package var range: Range<Int>
    package var replacement: Replacement

    package init(range: Range<Int>, replacement: Replacement) {
        self.range = range
        self.replacement = replacement
    }
}

extension Utterance {
    /// Returns the utterance with the edits applied. Each replacement has the source range of the text that it
    /// replaces.
    ///
    /// An edit is ignored if it overlaps a known pronunciation or an earlier edit. All edits are ignored if the edited
    /// text would be too long. The edited text may be empty.
    ///
    /// - Parameter edits: the edits, sorted by position.
    package func applying(_ edits: [TextEdit]) -> Utterance {
        let wanted = accepted(edits)
        if wanted.isEmpty { return self }
        var edited = EditedText(self, edits: wanted.count)
        for edit in wanted { edited.apply(edit) }
        let changed = edited.finish().trimmed
        return changed.text.utf8.count > Self.maximumBytes ? self : changed
    }

    private func accepted(_ edits: [TextEdit]) -> [TextEdit] {
        var end = 0
        var known = pronunciations[...]
        return edits.filter { edit in
            guard !edit.range.isEmpty, edit.range.lowerBound >= end, edit.range.upperBound <= text.utf8.count else {
                return false
            }
            known = known.drop { $0.range.upperBound <= edit.range.lowerBound }
            if let first = known.first, first.range.lowerBound < edit.range.upperBound { return false }
            end = edit.range.upperBound
            return true
        }
    }
}

/// Builds the edited form of an utterance.
struct EditedText {
    private let original: Utterance
    private let bytes: [UInt8]
    private var result = MappedText()
    /// Maps the edited text to the original.
    private var back = SourceMapBuilder()
    /// The number of processed bytes of the original text.
    private var done = 0
    private var pronunciations: [Utterance.Pronunciation] = []
    private var marks: [Utterance.Mark] = []
    private var oldPronunciations: ArraySlice<Utterance.Pronunciation>
    private var oldMarks: ArraySlice<Utterance.Mark>
    private var pitches: [Utterance.Pitch] = []
    private var oldPitches: ArraySlice<Utterance.Pitch>

    /// - Parameter edits: the expected number of edits.
    init(_ utterance: Utterance, edits: Int) {
        original = utterance
        bytes = Array(utterance.text.utf8)
        oldPronunciations = utterance.pronunciations[...]
        oldMarks = utterance.marks[...]
        oldPitches = utterance.pitches[...]
        result.reserve(bytes: bytes.count + bytes.count / 2, pieces: 2 * edits + 1)
        back.reserve(2 * edits + 1)
    }

    mutating func apply(_ edit: TextEdit) {
        copy(to: edit.range.lowerBound)
        switch edit.replacement {
        case .pronunciation(let ipa, let line):
            let start = result.count
            copy(to: edit.range.upperBound)
            pronunciations.append(
                .init(range: start..<result.count, value: ScriptPronunciation(ipa: ipa, hasWords: true, lexicon: line)))
        case .text(let words):
            // Marks within the range are moved to the start of the replacement.
            takeMarks(before: edit.range.upperBound, shiftedTo: result.count)
            let count = result.count
            takePitches(before: edit.range.upperBound) { _ in count }
            if !words.isEmpty { back.add(result.count..<result.count + words.utf8.count, edit.range, isWhole: true) }
            result.append(words, for: original.source.sourceRange(of: edit.range), isWhole: true)
            done = edit.range.upperBound
        }
    }

    mutating func finish() -> Utterance {
        copy(to: bytes.count)
        takeMarks(before: .max, shiftedTo: result.count)
        let map = back.map
        var edited = Utterance(
            text: result.text, source: result.source, pauseAfter: original.pauseAfter,
            characters: .edited(map, to: original.text, original.characters), style: original.style,
            pronunciations: pronunciations, marks: marks, pitches: pitches.filter { $0.offset < result.count })
        edited.written = Utterance.Written(
            text: original.written?.text ?? original.text, source: original.written?.source ?? original.source,
            characters: original.written?.characters ?? original.characters,
            maps: [map] + (original.written?.maps ?? []))
        return edited
    }

    private mutating func copy(to end: Int) {
        let shift = result.count - done
        let bytes = bytes
        while let next = oldPronunciations.first, next.range.upperBound <= end {
            oldPronunciations.removeFirst()
            pronunciations.append(next.shifted(by: shift))
        }
        while let next = oldMarks.first, next.offset < end {
            oldMarks.removeFirst()
            marks.append(next.shifted(by: shift))
        }
        takePitches(before: end) { $0 + shift }
        if done < end { back.add(result.count..<result.count + end - done, done..<end) }
        result.append(done..<end, of: bytes.span, from: original.source)
        done = end
    }

    private mutating func takePitches(before end: Int, _ position: (Int) -> Int) {
        while var next = oldPitches.first, next.offset < end {
            oldPitches.removeFirst()
            next.offset = position(next.offset)
            pitches.append(next: next)
        }
    }

    private mutating func takeMarks(before end: Int, shiftedTo offset: Int) {
        while let next = oldMarks.first, next.offset < end {
            oldMarks.removeFirst()
            marks.append(.init(name: next.name, offset: offset, source: next.source))
        }
    }
}
