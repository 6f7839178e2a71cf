/// What comes next of a text that is spoken.
package enum ScriptStep: Sendable, Equatable {
    case utterance(Utterance)
    /// Of exact length, whatever the rate. Several in a row add up.
    case silence(Duration)
    /// A mark between what is spoken; those inside an utterance are its own.
    case mark(String, source: Range<Int>)
    case clip(ScriptClip)

    /// nil if it is something else.
    package var utterance: Utterance? {
        if case .utterance(let utterance) = self { utterance } else { nil }
    }
}
