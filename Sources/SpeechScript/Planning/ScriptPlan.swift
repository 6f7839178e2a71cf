/// Cuts the parts of a script into what is spoken one after the other: utterances of one style each, silences, marks and
/// clips between them.
///
/// Sentences go on across parts of one style. Memory: one stretch of text of one style at a time. A value; nothing blocks.
package struct ScriptPlan: Sendable {
    /// Of the utterances that come; only the first one may begin with a clause.
    package var limits: UtteranceLimits

    private let characters: CharacterIndex
    /// In reverse, so that the next one is taken from the end.
    private var parts: [ScriptPart]
    private var run = ScriptRun()
    /// In reverse.
    private var steps: [ScriptStep] = []
    private var hasSpoken = false

    /// - Parameter document: that the places of the parts are in.
    package init(_ parts: [ScriptPart], of document: [UInt8], limits: UtteranceLimits = UtteranceLimits()) {
        self.init(parts, characters: CharacterIndex(document), limits: limits)
    }

    /// - Parameter characters: of the document that the places of the parts are in.
    package init(
        _ parts: [ScriptPart], characters: CharacterIndex, limits: UtteranceLimits = UtteranceLimits()
    ) {
        self.parts = parts.reversed()
        self.limits = limits
        self.characters = characters
    }

    /// The next step; nil after the last.
    package mutating func next() -> ScriptStep? {
        while true {
            if let step = steps.popLast() { return step }
            guard let part = parts.popLast() else {
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
        case .mark(let name, let source): run.append(mark: name, source: source)
        case .end(let kind): end(kind)
        case .silence(let duration, _): end(.silence, then: .silence(duration))
        case .clip(let clip): end(run.endsSentence ? .sentence : .none, then: .clip(clip))
        }
    }

    /// Ends the stretch of text, and with it what is spoken so far.
    private mutating func end(_ pause: PauseKind, then step: ScriptStep? = nil) {
        if let step { steps.append(step) }
        let (utterances, marks) = run.cut(
            limits: hasSpoken ? UtteranceLimits(scalars: limits.scalars) : limits, characters)
        for mark in marks.reversed() { steps.append(.mark(mark.name, source: mark.source)) }
        for (index, utterance) in utterances.enumerated().reversed() {
            var utterance = utterance
            if index == utterances.count - 1 { utterance.pauseAfter = pause }
            steps.append(.utterance(utterance))
        }
        if !utterances.isEmpty { hasSpoken = true }
        run = ScriptRun()
    }
}
