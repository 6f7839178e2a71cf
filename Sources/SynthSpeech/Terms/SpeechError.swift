@_exported public import enum SynthCatalogue.VoiceDownloadProblem

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
    /// Nobody can listen.
    case listening(ListeningProblem)
    /// A part of synthhost is not installed: the name of a program that is missing.
    case installation(missing: String)
    /// The files of a voice could not be removed, or read again.
    case files(VoiceDownloadProblem)
    /// The configuration, a registry of voices or the environment cannot be used.
    case settings(SettingsProblem)
    /// The system has no thread or descriptor left, or gives no text; `code` is an errno.
    case system(code: Int32)
}

extension SpeechError {
    /// What is wrong with a script.
    @nonexhaustive
    public enum ScriptProblem: Hashable, Sendable {
        /// It has more bytes than a script may have.
        case tooLong(limit: Int)
        /// Its elements or lists are too deep inside each other.
        case tooDeep(limit: Int)
        /// Something is missing, such as `</voice>`.
        case expected(String)
        /// Something is there that must not be.
        case unexpected(String)
        /// A declaration or an entity that is never followed.
        case refused(String)
        /// The value of an attribute or a token cannot be used.
        case badValue(of: String, value: String)
    }
}

extension SpeechError {
    /// Why voices cannot be blended.
    @nonexhaustive
    public enum BlendProblem: Hashable, Sendable {
        /// A voice is missing beside a `+` or `*` of this text.
        case incomplete(String)
        /// What stands after the voice is no weight: a number above 0.
        case weight(String, voice: String)
        /// So many voices were asked for; the most that a blend takes.
        case tooManyVoices(Int, most: Int)
        /// One speaker was asked for, for several voices at once.
        case speaker(String)
        /// The engine blends no voices.
        case notSupported(engine: String)
        /// Two voices, by their titles, are of two engines.
        case twoEngines(String, String)
        /// Two voices, by their titles, are of two models of one engine.
        case twoModels(String, String)
    }
}

extension SpeechError {
    /// Why a voice that is known cannot speak.
    @nonexhaustive
    public enum VoiceProblem: Hashable, Sendable {
        /// Its engine, by its id, is not here.
        case engineMissing(String)
        /// Its engine cannot speak it; why, in the words of the registry that lists it, if it says so.
        case notSupported(String?)
        /// Its files are damaged; what is wrong with them.
        case damaged(String)
        /// It has no file for a role that its engine requires.
        case fileMissing(role: String)
    }
}

extension SpeechError {
    /// What an engine did instead of speaking.
    @nonexhaustive
    public enum EngineProblem: Hashable, Sendable {
        /// Its process ended by a signal. The next speech starts another.
        case crashed(signal: Int32)
        /// It ended its own process.
        case exited(code: Int32)
        /// It gave no answer in this time, and was ended.
        case hung(after: Duration)
        /// It says that it could not, in its own words; none if it gave no reason.
        case failed(String)
        /// A sentence is longer than any that is handed to an engine, or holds a NUL.
        case unspeakableText
        /// It broke the contract of its interface; how, in the words of the process that it runs in.
        case violatedContract(String)
        /// It damaged the connection between its process and this one, and was ended.
        case violatedProtocol
        /// Its file is not loaded.
        case notLoaded(LoadProblem)
        /// Its process could not be started; the reason is an errno, if the system gave one.
        case notStarted(code: Int32?)
    }

    /// Why a file is not loaded as an engine.
    @nonexhaustive
    public enum LoadProblem: Hashable, Sendable {
        /// It is no library of this machine, or is damaged.
        case notLoadable
        /// A library that it needs is not installed; its name.
        case lacksLibrary(String)
        /// Somebody else may have written it, or what it loads.
        case untrusted
        /// It is no engine, or one for another version of the interface.
        case incompatible
        /// What it says of itself breaks the contract of the interface.
        case violatesContract
    }
}

extension SpeechError {
    /// Why sound was not played or stored. Each `code` is an errno.
    @nonexhaustive
    public enum OutputProblem: Hashable, Sendable {
        /// The file cannot be opened for writing; nothing was destroyed.
        case fileNotCreated(path: String, code: Int32)
        /// The file takes no more. A file of that name that was there stays; without one, the new one holds what was written
        /// before.
        case fileNotWritten(path: String, code: Int32)
        /// The file is one that this program reads: a lexicon, a clip, a file of a voice.
        case fileInUse(path: String)
        /// The file is not empty, and its folder takes no new file to put in its place.
        case fileNotReplaced(path: String)
        /// The sound and its times cannot be one file.
        case oneFile(path: String)
        /// The ending of the file's name means no format that can be written, and the options name none.
        case endingUnknown(path: String)
        /// The ending of the file's name means another format than the one that the options name.
        case endingContradicts(path: String, ending: SpeechFileOptions.Format, asked: SpeechFileOptions.Format)
        /// The ending of the name of a file of times is none of `.srt`, `.vtt` and `.json`.
        case timingsEndingUnknown(path: String)
        /// libsndfile of this machine does not write the format; it writes `known`.
        case formatMissing(SpeechFileOptions.Format, known: [SpeechFileOptions.Format])
        /// The library that encodes, by its file's name, is not installed or does not load.
        case encoderNotLoaded(library: String)
        /// The encoder failed. The file is as with `fileNotWritten`.
        case encodingFailed(SpeechFileOptions.Format)
        /// A tag has more bytes of UTF-8 than the limit.
        case tagTooLong(bytes: Int, limit: Int)
        /// Who read the sound has gone.
        case readerGone
        /// There is no such device; the names of those that there are.
        case deviceMissing(String, known: [String])
        /// The device exists and does not open.
        case deviceNotOpened(String, code: Int32)
        /// The device does not play sound of this format.
        case deviceRefusesFormat(String, SpeechFormat, code: Int32)
        /// The device failed while it played.
        case deviceFailed(String, code: Int32)
        /// The device takes no sound any more.
        case deviceStalled(String)
        /// Sound of this format cannot be handled.
        case formatUnusable(SpeechFormat)
        /// The rate or the pitch is out of range.
        case speedUnusable(rate: Double, pitch: Double)
        /// The sound cannot be converted to what the output takes.
        case notConverted
    }
}

extension SpeechError {
    /// Why a clip cannot be heard.
    @nonexhaustive
    public enum ClipProblem: Hashable, Sendable {
        /// There is no clip of that name; `candidates` are names near it.
        case unknown(candidates: [String])
        /// Several files have the name.
        case ambiguous(files: [String])
        /// A document asks for what it may not have: a file outside of its folder, an address, a channel too many.
        case notAllowed
        /// The file cannot be opened, or is none that holds bytes; `code` is an errno.
        case notOpened(path: String, code: Int32)
        /// The library that decodes, by its file's name, is not installed or does not load.
        case decoderNotLoaded(library: String)
        /// The file is no sound, or of a format that libsndfile of this machine does not read.
        case notSound(path: String)
        /// The file is damaged or cut after this many of its frames.
        case damaged(path: String, frame: Int)
        /// It is longer than any clip may be.
        case tooLong(path: String, limit: Duration)
        /// Sound of its format cannot be handled.
        case formatUnusable(path: String, SpeechFormat)
    }
}

extension SpeechError {
    /// Why nobody listens. What the recognizer itself does wrong is an `engine` error, and a file that cannot be read a `clip`
    /// error.
    @nonexhaustive
    public enum ListeningProblem: Hashable, Sendable {
        /// No recognizer is here; the folder that they are put into.
        case noRecognizer(folder: String)
        /// There is no recognizer of that id; those that there are.
        case unknownRecognizer(String, known: [String])
        /// No recognizer that is here has a model of that name; those that there are.
        case unknownModel(String, known: [String])
        /// No model of a recognizer that is here understands the language; nil = there is no model.
        case noModel(language: String?)
        /// The model, by its id, is known, and its files are not here.
        case notDownloaded(model: String, bytes: Int64)
        /// There is no such microphone; the names of the devices that there are.
        case microphoneMissing(String, known: [String])
        /// The microphone exists and does not open; `code` is an errno.
        case microphoneNotOpened(String, code: Int32)
        /// The microphone does not record sound of this format; `code` is an errno.
        case microphoneRefusesFormat(String, SpeechFormat, code: Int32)
        /// The microphone failed while it listened; `code` is an errno.
        case microphoneFailed(String, code: Int32)
    }
}
