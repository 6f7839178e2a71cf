/// Cuts the parts of a script into what is spoken one after the other: utterances of one style each, silences, marks and
/// clips between them.
///
/// Sentences go on across parts of one style. Memory: what the reader needs, and some 16 kB of text of one style. One thread
/// at a time; nothing blocks.
package struct ScriptPlan {
    /// Of the utterances that come; only the first one may begin with a clause.
    package var limits: UtteranceLimits

    private let characters: CharacterIndex
    private var parts: any ScriptReader
    private var run = ScriptRun()
    /// In reverse.
    private var steps: [ScriptStep] = []
    private var hasSpoken = false

    /// - Parameter document: that the places of the parts are in.
    package init(_ parts: [ScriptPart], of document: [UInt8], limits: UtteranceLimits = UtteranceLimits()) {
        self.init(ScriptPartList(parts), characters: CharacterIndex(document), limits: limits)
    }

    /// - Parameter characters: of the document that the places of the parts are in.
    package init(
        _ parts: any ScriptReader, characters: CharacterIndex, limits: UtteranceLimits = UtteranceLimits()
    ) {
        self.parts = parts
        self.limits = limits
        self.characters = characters
    }

    /// The next step; nil after the last.
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
            if run.count > Self.mostText { say(run.cutBegun(limits: currentLimits, characters)) }
        case .mark(let name, let source):
            run.append(mark: name, source: source)
            if run.count == 0, run.markCount > Self.mostMarks { end(.none) }
        case .end(let kind): end(kind)
        case .silence(let duration, _): end(.silence, then: .silence(duration))
        case .clip(let clip): end(run.endsSentence ? .sentence : .none, then: .clip(clip))
        }
    }

    /// Ends the stretch of text, and with it what is spoken so far.
    private mutating func end(_ pause: PauseKind, then step: ScriptStep? = nil) {
        if let step { steps.append(step) }
        var (utterances, marks) = run.cut(limits: currentLimits, characters)
        for mark in marks.reversed() { steps.append(.mark(mark.name, source: mark.source)) }
        if !utterances.isEmpty { utterances[utterances.count - 1].pauseAfter = pause }
        say(utterances)
        run = ScriptRun()
    }

    /// Without a word between them.
    private static let mostMarks = 1_000
    /// In bytes. What is longer is cut before its end is known.
    private static let mostText = 16 << 10

    private var currentLimits: UtteranceLimits { hasSpoken ? UtteranceLimits(scalars: limits.scalars) : limits }

    private mutating func say(_ utterances: [Utterance]) {
        for utterance in utterances.reversed() { steps.append(.utterance(utterance)) }
        if !utterances.isEmpty { hasSpoken = true }
    }
}

/// What comes next of a text that is spoken.
package enum ScriptStep: Sendable, Equatable {
    case utterance(Utterance)
    /// Of exact length, whatever the rate. Several in a row add up.
    case silence(Duration)
    /// A mark between what is spoken; those inside an utterance are its own.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)

    /// nil if it is something else.
    package var utterance: Utterance? {
        if case .utterance(let utterance) = self { utterance } else { nil }
    }
}
