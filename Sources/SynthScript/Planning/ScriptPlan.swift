/// Converts script parts to playback steps: utterances, each in a single style, and the silences, marks and clips
/// between them.
///
/// A sentence continues across parts of the same style and across parts that differ only in pitch. Holds only the
/// reader's state and about 16 kB of text. Not thread-safe; never blocks.
package struct ScriptPlan {
    /// The limits for subsequent utterances. Only the first utterance may end at a clause boundary.
    package var limits: UtteranceLimits

    private let characters: CharacterIndex
    private let isPlain: Bool
    private var parts: any ScriptReader
    private var run = ScriptRun()
    /// The pending steps, in reverse order.
    private var steps: [ScriptStep] = []
    private var hasSpoken = false

    /// - Parameters:
    ///   - characters: a character index of the document to which the source ranges of the parts refer.
    ///   - isPlain: whether the parts are from plain text, in which HTML tags and short lines separate sentences.
    package init(
        _ parts: any ScriptReader, characters: CharacterIndex, limits: UtteranceLimits = UtteranceLimits(),
        isPlain: Bool = false
    ) {
        self.isPlain = isPlain
        self.parts = parts
        self.limits = limits
        self.characters = characters
    }

    /// Returns the next step, or nil after the last one.
    package mutating func next() throws(ScriptError) -> ScriptStep? {
        while true {
            if let step = steps.popLast() { return step }
            guard let part = try parts.next() else {
                if run.isEmpty { return nil }
                end(.sentence)
                continue
            }
            take(part)
        }
    }

    private mutating func take(_ part: ScriptPart) {
        switch part {
        case .text(let text):
            if !run.takes(text) { end(run.endsSentence ? .sentence : .none) }
            run.append(text)
            if run.count > Self.maximumRunBytes { say(run.cutBegun(limits: currentLimits, characters)) }
        case .mark(let name, let source):
            run.append(mark: name, source: source)
            if run.count == 0, run.markCount > Self.maximumMarks { end(.none) }
        case .end(let kind): end(kind)
        case .silence(let duration, _): end(.silence, then: .silence(duration))
        case .clip(let clip): end(run.endsSentence ? .sentence : .none, then: .clip(clip))
        }
    }

    /// Ends the current run of text and its last sentence.
    private mutating func end(_ pause: PauseKind, then step: ScriptStep? = nil) {
        if let step { steps.append(step) }
        var (utterances, marks) = run.cut(limits: currentLimits, characters)
        for mark in marks.reversed() { steps.append(.mark(mark.name, source: mark.source)) }
        if !utterances.isEmpty { utterances[utterances.count - 1].pauseAfter = pause }
        say(utterances)
        run = ScriptRun()
    }

    /// The maximum number of consecutive marks with no words between them.
    private static let maximumMarks = 1_000
    /// The maximum length of a run in bytes. A longer run is split before it is complete.
    private static let maximumRunBytes = 16 << 10

    private var currentLimits: UtteranceLimits {
        var limits = hasSpoken ? UtteranceLimits(scalars: limits.scalars) : limits
        limits.isPlain = isPlain
        return limits
    }

    private mutating func say(_ utterances: [Utterance]) {
        for utterance in utterances.reversed() { steps.append(.utterance(utterance)) }
        if !utterances.isEmpty { hasSpoken = true }
    }
}

/// A playback step of a script.
package enum ScriptStep: Sendable, Equatable {
    case utterance(Utterance)
    /// Silence of exactly this length, regardless of the speech rate. Consecutive silences are added together.
    case silence(Duration)
    /// A mark between utterances. A mark within an utterance is stored in the utterance.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)

    /// The utterance, or nil for other steps.
    package var utterance: Utterance? {
        if case .utterance(let utterance) = self { utterance } else { nil }
    }
}

/// Text in a single style, apart from pitch changes, assembled from script parts.
struct ScriptRun: Sendable {
    private var text = MappedText()
    private var style: ScriptStyle?
    private var pronunciations: [Utterance.Pronunciation] = []
    private var readings: [Utterance.Reading] = []
    /// The maximum length of a protected range in bytes. A longer range is split like other text.
    private static let maximumHiddenBytes = 500
    /// The protected ranges, in which no sentence ends, in ascending order.
    private var whole: [Range<Int>] = []
    private var marks: [Utterance.Mark] = []
    private var pitches: [Utterance.Pitch] = []

    var isEmpty: Bool { text.isEmpty && marks.isEmpty }

    var count: Int { text.count }
    var markCount: Int { marks.count }

    /// Whether the text can be appended to this run, which is the case if the run is empty or has the same style.
    func takes(_ more: ScriptText) -> Bool { text.isEmpty || style?.isLike(more.style) == true }

    mutating func append(_ more: ScriptText) {
        style = more.style
        let bytes = Array(more.text.utf8)
        let start = text.count
        pitches.append(next: Utterance.Pitch(more.style, offset: start))
        text.append(0..<bytes.count, of: bytes.span, from: more.source)
        if let pronunciation = more.pronunciation, start < text.count {
            pronunciations.append(.init(range: start..<text.count, value: pronunciation))
            if !pronunciation.hasWords, text.count - start <= Self.maximumHiddenBytes {
                whole.append(start..<text.count)
            }
        }
        if let reading = more.reading, let first = bytes.firstIndex(where: { $0 != 0x20 }),
            let last = bytes.lastIndex(where: { $0 != 0x20 })
        {
            readings.append(.init(range: start + first..<start + last + 1, value: reading))
            if last - first < Self.maximumHiddenBytes { whole.append(start + first..<start + last + 1) }
        }
    }

    mutating func append(mark name: String, source: Range<Int>) {
        marks.append(.init(name: name, offset: text.count, source: source))
    }

    /// Whether the text is empty or ends with a sentence terminator, optionally followed by closing marks.
    var endsSentence: Bool {
        for scalar in text.text.unicodeScalars.reversed() {
            switch ScalarClass.of(scalar.value) {
            case .space, .lineBreak, .quote, .closer, .turnedQuote, .rightGuillemet, .leftGuillemet: continue
            case .period, .ellipsis, .strong, .wide, .paragraphBreak: return true
            default: return false
            }
        }
        return true
    }

    /// Splits the text into utterances, and also returns the marks at the end of the text.
    func cut(limits: UtteranceLimits, _ index: CharacterIndex) -> ([Utterance], marks: ArraySlice<Utterance.Mark>) {
        utterances(of: pieces(limits: limits, isWhole: true), index)
    }

    /// Removes and returns the utterances before the last sentence, because that sentence may continue.
    mutating func cutBegun(limits: UtteranceLimits, _ index: CharacterIndex) -> [Utterance] {
        let pieces = pieces(limits: limits, isWhole: false)
        guard let end = pieces.last?.sourceRange.upperBound else { return [] }
        let (utterances, left) = utterances(of: pieces, index)
        text = text.slice(end..<text.count)
        pronunciations = pronunciations.filter { $0.range.lowerBound >= end }.map { $0.shifted(by: -end) }
        readings = readings.filter { $0.range.lowerBound >= end }.map { $0.shifted(by: -end) }
        whole = whole.filter { $0.lowerBound >= end }.map { $0.shifted(by: -end) }
        pitches = pitches.within(end..<text.count + end)
        marks = left.map { $0.shifted(by: -end) }
        return utterances
    }

    private func utterances(
        of pieces: [Utterance], _ index: CharacterIndex
    ) -> ([Utterance], marks: ArraySlice<Utterance.Mark>) {
        let (bytes, source) = (text.utf8, text.source)
        var pronunciations = pronunciations[...]
        var readings = readings[...]
        var whole = whole[...]
        var marks = marks[...]
        let utterances = pieces.map { piece in
            let range = piece.sourceRange
            var mapped = MappedText()
            mapped.append(range, of: bytes.span, from: source)
            pronunciations = pronunciations.drop { $0.range.lowerBound < range.lowerBound }
            let known = pronunciations.prefix { $0.range.upperBound <= range.upperBound }
            readings = readings.drop { $0.range.lowerBound < range.lowerBound }
            let read = readings.prefix { $0.range.upperBound <= range.upperBound }
            whole = whole.drop { $0.upperBound <= range.lowerBound }
            let passed = marks.prefix { $0.offset < range.upperBound }
            marks = marks.dropFirst(passed.count)
            return Utterance(
                text: restored(piece, from: bytes, whole.prefix { $0.lowerBound < range.upperBound }),
                source: mapped.source, pauseAfter: piece.pauseAfter,
                characters: .indexed(mapped.source, index), style: style ?? ScriptStyle(),
                pronunciations: known.map { $0.shifted(by: -range.lowerBound) },
                readings: read.map { $0.shifted(by: -range.lowerBound) },
                marks: passed.map { $0.shifted(by: -range.lowerBound) },
                pitches: pitches.within(range))
        }
        return (utterances, marks)
    }

    /// Splits the text as if it were plain text.
    ///
    /// - Parameter isWhole: whether no more text follows.
    private func pieces(limits: UtteranceLimits, isWhole: Bool) -> [Utterance] {
        var bytes = text.utf8
        for range in whole {
            for index in range { bytes[index] = UInt8(ascii: "x") }
        }
        var script = PlainTextScript(limits: limits)
        // The text came from a `String`, so it is valid UTF-8.
        guard (try? script.append(bytes.span)) != nil, !isWhole || (try? script.finish()) != nil else { return [] }
        var pieces: [Utterance] = []
        while let piece = script.next() { pieces.append(piece) }
        return pieces
    }

    /// Returns an utterance's text with the original content of the ranges that were hidden from sentence detection.
    private func restored(_ piece: Utterance, from bytes: [UInt8], _ hidden: ArraySlice<Range<Int>>) -> String {
        if hidden.isEmpty { return piece.text }
        var text = Array(piece.text.utf8)
        let location = piece.sourceRange
        for range in hidden.map({ $0.clamped(to: location) }) {
            text.replaceSubrange(range.shifted(by: -location.lowerBound), with: bytes[range])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
