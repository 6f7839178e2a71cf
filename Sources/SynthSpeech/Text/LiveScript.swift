import SynthSystem

import SynthScript

/// Text that may come in its own time, cut into utterances: what is complete is not held back for what may follow, and
/// after a silence the next text begins with a clause if somebody waits for it. One thread uses it.
struct LiveScript {
    enum Arrival {
        case text
        /// Nothing came in time.
        case silence
        /// Nothing more is wanted.
        case stopped
    }

    private var script = PlainTextScript()
    private var isAtEnd = false
    /// Whether nothing came for a while after what came last.
    private var wasSilent = false
    private var isAwaited: @Sendable () -> Bool = { false }
    /// What is wrong with the text; told once all before it is spoken.
    private var failure: SpeechError?

    /// How long nothing may come before what came last counts as said.
    private static let patience = Duration.milliseconds(150)

    mutating func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.limits = .early
        self.isAwaited = isAwaited
    }

    /// The next utterance; nil after the last. Blocks as long as `wait` does.
    /// - Parameters:
    ///   - isLive: text may be late; otherwise nobody waits for it.
    ///   - wait: waits for text, up to a time if one is given.
    ///   - read: the text that came; nil = the end.
    mutating func next<Text>(
        isLive: Bool, wait: (Duration?) throws(SpeechError) -> Arrival, read: () throws(SpeechError) -> Text?,
        append: (inout PlainTextScript, Text) throws(SpeechError) -> Void
    ) throws(SpeechError) -> ScriptStep? {
        var isPatient = isLive
        while true {
            if let utterance = script.next() { return .utterance(utterance) }
            if let failure { throw failure }
            if isAtEnd { return nil }
            switch try wait(isPatient ? Self.patience : nil) {
            case .text:
                if wasSilent, isAwaited() { script.beginAnew() }
                wasSilent = false
                let text = try read()
                do {
                    if let text {
                        try append(&script, text)
                    } else {
                        isAtEnd = true
                        try script.finish()
                    }
                } catch {
                    failure = error
                }
                isPatient = isLive
            case .silence:
                // A sentence or a line that is complete is not held back for what may follow.
                script.flushIdle()
                isPatient = false
                wasSilent = true
            case .stopped:
                isAtEnd = true
                return nil
            }
        }
    }
}
