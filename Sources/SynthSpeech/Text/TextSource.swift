package import SynthScript
package import SynthSystem

/// The source of a speech's steps. Use it from one thread, except for `stop`.
package protocol TextSource: AnyObject, Sendable {
    /// Returns the next step, or nil after the last one. May block until text arrives.
    func next() throws(SpeechError) -> ScriptStep?

    /// Makes the first utterance short if possible, because a listener is waiting for the first audio. The same applies
    /// to each utterance after a period without text while `isAwaited` returns true. If it is called, that happens
    /// before the first `next`.
    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool)

    /// The size of the whole text in bytes, or nil if it is unknown.
    var byteCount: Int? { get }

    /// The file that the text is read from, or nil if there is none or it is a pipe.
    var file: RegularFile? { get }

    /// Whether the text may contain leftover markup. False if it was markup itself.
    var isPlain: Bool { get }

    /// Stops the source. A blocked `next` and every later one return nil. It may be called from any thread.
    func stop()
}

extension TextSource {
    package var isPlain: Bool { true }
}

/// The utterances of plain text that is already complete.
package final class GivenText: TextSource {
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

    /// The text is complete, so only the first utterance is shortened.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { script.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? { script.update { $0.next() }.map { .utterance($0) } }

    /// Does nothing, because `next` never blocks.
    package func stop() {}
}
