import SynthHost

/// What `speak` speaks: a plain text, or a script that was read.
enum SpeakText {
    case plain(any TextSource)
    case script(ScriptSource)

    var source: any TextSource {
        switch self {
        case .plain(let source): source
        case .script(let script): script
        }
    }

    /// Whether it asks for phonemes without saying what else could be spoken.
    var needsPhonemes: Bool {
        if case .script(let script) = self { script.hasBarePhonemes } else { false }
    }
}
