import SynthHost

/// Prints what `speak` would say, beside what is written.
struct ShownText {
    /// A line of `speak --show-text --json`.
    private struct Line: Encodable {
        let text: String
        let said: String
        /// The place of the text in the document.
        let bytes: [Int]
        let language: String
        let voice: String
    }

    let context: CommandContext
    let isJSON: Bool

    func print(_ text: SpeakText, _ session: SpeechSession, _ settings: SpokenSettings) throws(CommandFailure) {
        let failure = try CommandFailure.attempt { () throws(SpeechFailure) in
            try session.preview(
                text.source, { settings.settings(of: $0.voice, isMain: $0 === session) }, line)
        }
        if let failure { throw failure }
    }

    private func line(_ stretch: PreparedStretch) throws(CommandFailure) {
        guard !isJSON else {
            let bytes = [stretch.source.lowerBound, stretch.source.upperBound]
            return try context.print(
                JSONText.line(
                    of: Line(
                        text: stretch.written, said: stretch.said, bytes: bytes, language: stretch.language,
                        voice: stretch.voice)))
        }
        try context.print(stretch.written)
        if stretch.said != stretch.written || !stretch.notices.isEmpty { try context.print("  → \(stretch.said)") }
        for notice in stretch.notices { try context.print("    \(notice.sentence)") }
    }
}
