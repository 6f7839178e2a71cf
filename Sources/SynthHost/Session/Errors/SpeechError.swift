/// Why something could not be spoken. Each case says what happened, to what, with which numbers; making sentences of it
/// is up to the program that shows it.
@nonexhaustive
public enum SpeechError: Error, Sendable {
    /// The speech was cancelled, or the task that read it. Not thrown by one that was read to its end.
    case cancelled
    /// A speech is read once; `speak` again to hear it again.
    case alreadyRead
    /// The session was closed.
    case closed
    /// The sequence that gave the text threw.
    case textSource(any Error)
    /// The text is not UTF-8; the byte, counted from 0, at which it stops being so.
    case notText(byte: Int)
    /// There is no such voice, or it is not clearly meant; `candidates` are names that may have been.
    case voice(String, candidates: [String])
    /// The voice is known, and its files are not here.
    case notDownloaded(voice: String, bytes: Int64)
    /// The voice cannot be used; `reason` says why.
    case unusableVoice(voice: String, reason: String)
    /// The engine cannot use a file of the voice; `flaw` says why, in its words.
    case voiceFile(path: String, flaw: String)
    /// The engine failed while it loaded or spoke.
    case engine(String, EngineProblem)
    /// The sound could not be played or stored; `reason` says why, `code` is the system's errno, if there is one.
    case output(reason: String, code: Int32?)
    /// A part of synthhost is not installed: the path of a program that is missing.
    case installation(missing: String)
    /// A configuration or registry file that cannot be used.
    case settings(reason: String)
    /// The system has no thread or descriptor left; `code` is an errno.
    case system(code: Int32)

    /// What an engine did instead of speaking.
    @nonexhaustive
    public enum EngineProblem: Hashable, Sendable {
        /// Its process ended by a signal. The next speech starts another.
        case crashed(signal: Int32)
        /// It ended its own process.
        case exited(code: Int32)
        /// It gave no answer in this time, and was ended.
        case hung(after: Duration)
        /// It said so itself, or broke its contract.
        case failed(String)
        /// It cannot be loaded, or its process cannot be started.
        case unusable(String)
    }
}
