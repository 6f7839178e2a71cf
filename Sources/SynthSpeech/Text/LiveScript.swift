import SynthSystem

import SynthScript

/// Splits live text into utterances. Complete sentences are returned immediately. If a listener is waiting, the first
/// utterance after an interval without text may be a clause. Not thread-safe.
struct LiveScript {
    enum Arrival<Text> {
        /// The text that arrived, or nil at the end.
        case text(Text?)
        /// No text arrived in time.
        case silence
        /// The consumer has stopped.
        case stopped
    }

    private var script = PlainTextScript()
    private var isAtEnd = false
    /// Whether a wait for text has timed out since the last chunk.
    private var wasSilent = false
    private var isAwaited: @Sendable () -> Bool = { false }
    /// An error in the text source. Thrown after all preceding text has been returned.
    private var failure: SpeechError?

    /// How long to wait before incomplete text is treated as complete.
    private static let timeout = Duration.milliseconds(150)

    mutating func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        script.limits = .early
        self.isAwaited = isAwaited
    }

    /// Returns the next utterance, or nil after the last one. Blocks while `wait` blocks.
    ///
    /// - Parameters:
    ///   - isLive: whether the text may arrive slowly.
    ///   - wait: waits for text. If the timeout is not nil, waits no longer than that.
    mutating func next<Text>(
        isLive: Bool, wait: (Duration?) throws(SpeechError) -> Arrival<Text>,
        append: (inout PlainTextScript, Text) throws(SpeechError) -> Void
    ) throws(SpeechError) -> ScriptStep? {
        var isPatient = isLive
        while true {
            if let utterance = script.next() { return .utterance(utterance) }
            if let failure { throw failure }
            if isAtEnd { return nil }
            switch try wait(isPatient ? Self.timeout : nil) {
            case .text(let text):
                if wasSilent, isAwaited() { script.restartFromBeginning() }
                wasSilent = false
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
                // Do not delay complete sentences and lines.
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
