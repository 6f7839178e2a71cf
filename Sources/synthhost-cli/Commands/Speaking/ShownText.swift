import SynthHost
import SynthCommandSyntax
import SynthSystem
import SynthTerminal

/// Prints the spoken form of the text: the words, or the phonemes of each word.
struct ShownText {
    /// A line of `speak --show-text --json` output.
    private struct Line: Encodable {
        let text: String
        let said: String
        /// The byte range of the text in the document.
        let bytes: [Int]
        let language: String
        let voice: String
        /// The words with their phonemes, or nil without `--show-phonemes` or if the engine does not report phonemes.
        let words: [Word]?
    }

    private struct Word: Encodable {
        let text: String
        let phonemes: String
        let bytes: [Int]

        init(_ word: PronouncedWord) {
            text = word.text
            phonemes = word.ipa
            bytes = [word.source.lowerBound, word.source.upperBound]
        }
    }

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
            let bytes = [sentence.source.lowerBound, sentence.source.upperBound]
            return try context.print(
                JSONText.line(
                    of: Line(
                        text: sentence.written, said: sentence.spoken, bytes: bytes, language: sentence.language,
                        voice: sentence.voice, words: sentence.words?.map(Word.init))))
        }
        if pronounces { return try phonemes(sentence) }
        try context.print(sentence.written)
        if sentence.spoken != sentence.written || !sentence.notices.isEmpty {
            try context.print("  → \(sentence.spoken)")
        }
        for notice in sentence.notices { try context.print("    \(notice.sentence)") }
    }

    /// Prints each word and its phonemes on a line, and an empty line after each sentence.
    private func phonemes(_ sentence: PreparedSentence) throws {
        guard let words = sentence.words else { return try context.print("\(sentence.spoken)\n") }
        let column = (words.map { DisplayWidth.columns($0.text) }.max() ?? 0) + 2
        for word in words {
            try context.print(DisplayWidth.pad(CleanText.line(word.text), to: column) + word.ipa)
        }
        if !words.isEmpty { try context.print("") }
    }
}
