package import SynthScript
package import SynthSystem

/// A source of the steps to speak. Not thread-safe, except for `stop`.
package protocol TextSource: AnyObject, Sendable {
    /// Returns the next step, or nil after the last one. May block until text arrives.
    func next() throws(SpeechError) -> ScriptStep?

    /// Makes the first utterance short if possible, because a listener is waiting for the first audio. While `isAwaited`
    /// returns true, the first utterance after each interval without text is also shortened. Call this before the first
    /// `next`.
    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool)

    /// The size of the text in bytes, or nil if it is unknown.
    var byteCount: Int? { get }

    /// The text's file, or nil if the text comes from a pipe or memory.
    var file: RegularFile? { get }

    /// Whether the text is plain text, which may contain leftover markup. False if the text is in a markup format.
    var isPlain: Bool { get }

    /// Stops the source. The current and all later calls of `next` return nil. Can be called from any thread.
    func stop()
}

extension TextSource {
    package var isPlain: Bool { true }
}

/// A source of utterances from complete plain text.
package final class CompleteText: TextSource {
    package let byteCount: Int?
    package var file: RegularFile? { nil }
    private let script: Monitor<PlainTextScript>

    package init(_ text: String) throws(SpeechError) {
        byteCount = text.utf8.count
        var script = PlainTextScript()
        try script.append(text)
        try script.finish()
        self.script = Monitor(script)
    }

    /// Shortens only the first utterance, because the text is complete.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { script.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? { script.update { $0.next() }.map { .utterance($0) } }

    /// A no-op, because `next` never blocks.
    package func stop() {}
}
