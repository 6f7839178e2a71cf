import SynthHost
import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// Prints the spoken form of the text, as words or as the phonemes of each word.
struct ShownText {
    let context: CommandContext
    let isJSON: Bool
    let pronounces: Bool

    func print(_ text: SpeakText, _ session: SpeechSession, _ settings: SpokenSettings) throws {
        let failure = try session.preview(
            text.source, { settings.settings(of: $0.voice, isMain: $0 === session) }, pronounces: pronounces, line)
        if let failure { throw failure }
    }

    private func line(_ sentence: PreparedSentence) throws {
        guard !isJSON else {
            // `bytes` is the byte range of the text in the document.
            let words = sentence.words?.map { word -> JSONMembers in
                ["text": word.text, "phonemes": word.ipa, "bytes": [word.source.lowerBound, word.source.upperBound]]
            }
            let line: JSONMembers = [
                "text": sentence.written, "said": sentence.spoken, "language": sentence.language,
                "bytes": [sentence.source.lowerBound, sentence.source.upperBound], "voice": sentence.voice,
                "words": words,
            ]
            return try context.print(json: line)
        }
        if pronounces { return try phonemes(sentence) }
        try context.print(sentence.written)
        if sentence.spoken != sentence.written || !sentence.notices.isEmpty {
            try context.print("  → \(sentence.spoken)")
        }
        for notice in sentence.notices { try context.print("    \(notice.sentence)") }
    }

    /// Prints each word and its phonemes on one line, and an empty line after each sentence.
    private func phonemes(_ sentence: PreparedSentence) throws {
        guard let words = sentence.words else { return try context.print("\(sentence.spoken)\n") }
        let column = (words.map { DisplayWidth.columns($0.text) }.max() ?? 0) + 2
        for word in words {
            try context.print(DisplayWidth.pad(CleanText.line(word.text), to: column) + word.ipa)
        }
        if !words.isEmpty { try context.print("") }
    }
}
