import SpeechScript
import System

/// A text of which some words are said otherwise than they are written.
final class PreparedText: TextSource {
    /// What is said otherwise of a text of a language (BCP-47), in ascending order.
    typealias Preparation = @Sendable (_ text: String, _ language: String) -> [TextEdit]

    private let source: any TextSource
    private let language: String
    private let preparation: Preparation

    /// - Parameter language: of what the text does not say otherwise.
    init(_ source: any TextSource, in language: String, by preparation: @escaping Preparation) {
        self.source = source
        self.language = language
        self.preparation = preparation
    }

    var byteCount: Int? { source.byteCount }
    var file: RegularFile? { source.file }
    func stop() { source.stop() }

    func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) { source.beginSoon(ifAwaited: isAwaited) }

    func next() throws(SpeechFailure) -> ScriptStep? {
        guard let step = try source.next() else { return nil }
        guard case .utterance(let utterance) = step else { return step }
        let edits = preparation(utterance.text, utterance.style.language ?? language)
        return edits.isEmpty ? step : .utterance(utterance.applying(edits))
    }
}
