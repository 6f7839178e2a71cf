/// Why something could not be spoken. Each case says what happened, to what, with which numbers, so that a program can word
/// it for its users; `description` is a sentence in English for those that have no words of their own.
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
    /// The text is not a script of its form; line and column, counted from 1, of what is wrong.
    case script(ScriptProblem, line: Int, column: Int)
    /// The text starts a clip on a channel beside the speech. A queue has channels, a session none.
    case channel(String, clip: String)
    /// A lexicon cannot be used; the path of its file, and the line, counted from 1, that is wrong.
    case lexicon(path: String, line: Int)
    /// A library is not installed that the form of the text needs.
    case libraryMissing(String)
    /// There is no such voice, or it is not clearly meant; `candidates` are names that may have been.
    case voice(String, candidates: [String])
    /// The voice has no such speaker; `candidates` are those that it has, none if it has one speaker only.
    case speaker(String, voice: String, candidates: [String])
    /// Voices that cannot be blended in this way.
    case blend(BlendProblem)
    /// The engine has no voice for the language, nil = none at all; `candidates` are languages near it.
    case noVoice(engine: String, language: String?, candidates: [String])
    /// There is no engine of that id, nil = none that speaks a language; `candidates` are ids near it.
    case noEngine(String?, candidates: [String])
    /// The voice is known, and its files are not here.
    case notDownloaded(voice: String, bytes: Int64)
    /// The voice, by its title, is known and cannot be used.
    case unusableVoice(voice: String, VoiceProblem)
    /// The engine cannot use a file of the voice; `flaw` says why, in its words.
    case voiceFile(path: String, flaw: String)
    /// The engine, by its id or its file, failed while it loaded or spoke.
    case engine(String, EngineProblem)
    /// The text holds nothing to say, so no file was written.
    case nothingToSay
    /// The sound could not be played or stored.
    case output(OutputProblem)
    /// The clip of this name cannot be heard.
    case clip(String, ClipProblem)
    /// A part of synthhost is not installed: the name of a program that is missing.
    case installation(missing: String)
    /// The configuration, a registry of voices or the environment cannot be used.
    case settings(SettingsProblem)
    /// The system has no thread or descriptor left, or gives no text; `code` is an errno.
    case system(code: Int32)
}
