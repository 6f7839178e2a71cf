package import SynthScript
package import SynthSystem

/// Where what is spoken comes from, one step after the other. Used by one thread but for `stop`.
package protocol TextSource: AnyObject, Sendable {
    /// The next one; nil after the last. May block until text arrives.
    func next() throws(SpeechError) -> ScriptStep?

    /// Makes the first utterance short if possible, because somebody waits for the first sound. The same holds for each
    /// utterance that comes after a silence of the source while `isAwaited` is true. Called before the first `next`, if at
    /// all.
    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool)

    /// Bytes of the whole text; nil if that is not known.
    var byteCount: Int? { get }

    /// The file that it is read from; nil = none, or a pipe.
    var file: RegularFile? { get }

    /// Whether signs in the text may be left of markup. Not so if it was markup itself.
    var isPlain: Bool { get }

    /// From any thread: a `next` that blocks returns nil soon, and so does each later one.
    func stop()
}

extension TextSource {
    package var isPlain: Bool { true }
}

/// Utterances of plain text that is there already.
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

    /// The text is there: nothing of it comes after a while.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { script.update { $0.limits = .early } }

    package func next() throws(SpeechError) -> ScriptStep? { script.update { $0.next() }.map { .utterance($0) } }

    /// `next` never blocks.
    package func stop() {}
}
