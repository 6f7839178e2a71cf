package import SynthHost

/// What clients are told, in words for people: those of the program that serves.
package struct ServiceWords: Sendable {
    package let version: String
    package let sentence: @Sendable (SpeechError) -> String
    /// A word for programs.
    package let code: @Sendable (SpeechError) -> String
    /// What was done otherwise than a client asked, for whoever runs the program. Any thread.
    package let note: @Sendable (SpeechNotice) -> Void
    /// A sentence and a word for programs.
    package let hearing: @Sendable (SpeechError) -> (text: String, code: String)
    /// To a client for whom there is no place.
    package let busy: String
    package let malformed: String
    package let tooLong: String
    package let nothingToSay: String

    package init(
        version: String, malformed: String, tooLong: String, busy: String, nothingToSay: String = "nothing to say",
        sentence: @escaping @Sendable (SpeechError) -> String,
        code: @escaping @Sendable (SpeechError) -> String,
        hearing: @escaping @Sendable (SpeechError) -> (text: String, code: String) = { ("\($0)", "failure") },
        note: @escaping @Sendable (SpeechNotice) -> Void
    ) {
        self.hearing = hearing
        self.busy = busy
        self.note = note
        self.version = version
        self.sentence = sentence
        self.code = code
        self.malformed = malformed
        self.tooLong = tooLong
        self.nothingToSay = nothingToSay
    }
}
