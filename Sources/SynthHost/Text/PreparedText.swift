package import SpeechScript
package import System

/// A text of which some words are said otherwise than they are written.
package final class PreparedText: TextSource, @unchecked Sendable {
    private let source: any TextSource
    private let language: String
    private let preparation: TextPreparation
    /// What is left of an utterance without anything to say. Used by the one thread that calls `next`.
    private var marks: ArraySlice<Utterance.Mark> = []

    /// - Parameter language: of what the text does not say otherwise.
    package init(_ source: any TextSource, in language: String, by preparation: TextPreparation) {
        self.source = source
        self.language = language
        self.preparation = preparation
    }

    package var byteCount: Int? { source.byteCount }
    package var file: RegularFile? { source.file }
    package func stop() { source.stop() }

    package func beginSoon(ifAwaited isAwaited: @escaping @Sendable () -> Bool) {
        source.beginSoon(ifAwaited: isAwaited)
    }

    package func next() throws(SpeechFailure) -> ScriptStep? {
        while true {
            if let mark = marks.popFirst() { return .mark(mark.name, source: mark.source) }
            guard let step = try source.next() else { return nil }
            guard case .utterance(let utterance) = step else { return step }
            let said = preparation.prepare(utterance, in: utterance.style.language ?? language, isPlain: source.isPlain)
            // Of an utterance without anything to say, its marks are left.
            if let said { return .utterance(said) }
            marks = utterance.marks[...]
        }
    }
}
