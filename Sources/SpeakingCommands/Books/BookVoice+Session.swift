import Books
import SynthAudio
import SynthHost
import System
import VoiceCatalogue

extension BookVoice {
    /// All that makes the same words sound otherwise.
    ///
    /// - Parameters:
    ///   - lexicon: what `sum` says of that of the settings.
    ///   - timings: what is said of when they sound.
    init(_ session: SpeechSession, _ settings: SpeechSettings, lexicon: String, timings: String? = nil) {
        let choice = session.voice.choice
        let shares = choice.shares.map { "\($0.voice.id)/\($0.speaker ?? "")*\($0.weight)" }
        var words = [
            "rate": "\(settings.rate)", "pitch": "\(settings.pitch)", "volume": "\(settings.volume.factor)",
            "variation": "\(settings.variation)", "language": settings.language ?? "",
            "verbatim": "\(settings.isVerbatim)", "keepsVoice": "\(settings.keepsVoice)",
        ]
        words["pauses"] = "\(settings.pauses.sentence) \(settings.pauses.paragraph) \(settings.pauses.heading)"
        // Only what is spoken with times has them.
        words["timings"] = timings
        words["lexicon"] = lexicon
        self.init(
            engine: session.engine.id, engineVersion: session.engine.version,
            voice: shares.joined(separator: "+"), settings: words)
    }

    /// Tells one lexicon from another.
    static func sum(of lexicon: SpeechLexicon?) -> String {
        (lexicon?.paths ?? []).map { path in
            // What cannot be read now could be read a moment ago.
            let bytes = (try? readWholeFile(path, limit: 64 << 20)) ?? []
            return "\(bytes.count) \(ContentHash(bytes).hexadecimal)"
        }.joined(separator: " ")
    }
}
