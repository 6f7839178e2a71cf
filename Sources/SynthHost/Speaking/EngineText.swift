import EngineWire
import Engines
package import SpeechScript

/// An utterance's text as its engine gets it, and the way back to the utterance's own.
package struct EngineText {
    package let form: SpokenForm
    /// From the text whose marks are as engines read them to the utterance's; nil = it is the same.
    private let marked: SourceMap?

    /// - Parameter takesPhonemes: whether the engine speaks IPA.
    package init(_ utterance: Utterance, takesPhonemes: Bool) {
        let edits = ClauseMarks.edits(of: utterance.text)
        guard !edits.isEmpty else {
            form = SpokenForm(utterance, takesPhonemes: takesPhonemes)
            marked = nil
            return
        }
        // With places in the utterance's text instead of the document.
        let edited = Utterance(
            text: utterance.text, source: SourceMap(offset: 0), pauseAfter: utterance.pauseAfter,
            style: utterance.style, pronunciations: utterance.pronunciations
        ).applying(edits)
        form = SpokenForm(edited, takesPhonemes: takesPhonemes)
        marked = edited.source
    }

    /// The part with the place of an event in the utterance's text, for one in what the engine got.
    func placed(_ part: SpeechPart) -> SpeechPart {
        guard case .event(var event) = part else { return part }
        event.text = place(of: event.text)
        return .event(event)
    }

    /// The range in the utterance's text of a range of what the engine got.
    func place(of range: Range<Int>) -> Range<Int> {
        let place = form.places.sourceRange(of: range)
        return marked?.sourceRange(of: place) ?? place
    }
}
