package import SpeechScript
package import System

/// Utterances of plain text that is there already.
package final class GivenText: TextSource, @unchecked Sendable {
    package let byteCount: Int?
    package var file: RegularFile? { nil }
    /// Used by the one thread that calls `next`, once it is filled.
    private var script = PlainTextScript()

    package init(_ text: String) throws(SpeechFailure) {
        byteCount = text.utf8.count
        do throws(TextError) {
            try script.append(text)
            try script.finish()
        } catch {
            throw .text(error)
        }
    }

    /// The text is there: nothing of it comes after a while.
    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { script.limits = .early }

    package func next() throws(SpeechFailure) -> ScriptStep? { script.next().map { .utterance($0) } }

    /// `next` never blocks.
    package func stop() {}
}
