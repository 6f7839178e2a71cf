import Glibc
import SynthCatalogue
import SynthSystem

/// One sentence that says what happened, for programs that have no text of their own. What to do about it is theirs to
/// say: each case has what that needs. The words may change; nothing should be read out of them.
extension SpeechError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cancelled: "The speech was cancelled."
        case .alreadyRead: "The speech was read already."
        case .closed: "The voice was released while it was needed."
        case .textSource(let error): "The text ended with an error: \(error)"
        case .notText(let byte): "The text is not UTF-8: byte \(byte) cannot stand there."
        case .script(let problem, let line, let column):
            "The text cannot be read at line \(line), column \(column): \(problem)."
        case .channel(let channel, let clip):
            "The clip \"\(clip)\" is to sound on the channel \"\(channel)\", and there are no channels here."
        case .lexicon(let path, let line): "Line \(line) of the lexicon \(path) cannot be used."
        case .libraryMissing(let library): "The library \(library), which reads such texts, cannot be loaded."
        case .voice(let name, let candidates):
            Self.meaning("There is no voice that \"\(name)\" clearly means", candidates)
        case .speaker(let name, let voice, let candidates):
            candidates.isEmpty
                ? "The voice \(voice) has one speaker only, so \"\(name)\" cannot be chosen."
                : Self.meaning("The voice \(voice) has no speaker \"\(name)\"", candidates)
        case .blend(let problem): "The voices cannot be blended: \(problem)."
        case .noVoice(let engine, let language?, let candidates):
            Self.meaning("The engine \(engine) has no voice for the language \"\(language)\"", candidates)
        case .noVoice(let engine, nil, _): "The engine \(engine) has no voice."
        case .noEngine(let id?, let candidates): Self.meaning("There is no engine \"\(id)\"", candidates)
        case .noEngine(nil, _): "There is no engine that speaks a language."
        case .notDownloaded(let voice, let bytes):
            "The voice \(voice) is not downloaded (\(ByteCount.words(bytes)))."
        case .unusableVoice(let voice, let problem): "The voice \(voice) cannot be used: \(problem)."
        case .voiceFile(let path, let flaw): "The file \(path) of the voice cannot be used: \(Self.clause(flaw))."
        case .engine(let engine, let problem): "The engine \(engine) \(problem)."
        case .nothingToSay: "The text holds nothing to say."
        case .output(let problem): "\(problem)."
        case .clip(let name, let problem): "The clip \"\(name)\" cannot be heard: \(problem)."
        case .listening(let problem): "\(problem)."
        case .installation(let program):
            "The program \(program), a part of synthhost, is not installed. Run `Scripts/install ~/.local` in a checkout of "
                + "synthhost, or set SYNTHHOST_PREFIX to the folder that synthhost is installed in."
        case .files(let problem): "The files of the voice cannot be used: \(Self.words(problem))."
        case .settings(let problem): "\(problem)."
        case .system(let code): "The system refuses: \(Errno(code))."
        }
    }

    /// A sentence with what may have been meant.
    private static func meaning(_ sentence: String, _ candidates: [String]) -> String {
        let most = 8
        let rest = candidates.count - most
        let shown = candidates.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        return candidates.isEmpty ? sentence + "." : "\(sentence). It may be one of these: \(shown)."
    }

    /// The end of a sentence.
    private static func words(_ problem: VoiceDownloadProblem) -> String {
        switch problem {
        case .network: "no server can be reached, or none goes on"
        case .refused(let status?): "the server answers \(status)"
        case .refused(nil): "the server does not have what is asked for"
        case .offline: "the network is not to be used"
        case .diskFull(let missing?): "the disk is full, \(ByteCount.words(missing)) are missing"
        case .diskFull(nil): "the disk is full"
        case .wrongContent: "what is there is not what was promised"
        case .file(let path, let code?): "\(path): \(Errno(code))"
        case .file(let path, nil): "\(path) cannot be used"
        case .busy(let process?): "process \(process) changes them"
        case .busy(nil): "another program changes them"
        case .installation: "a program of synthhost is missing, or failed"
        }
    }

    /// Words of an engine without their full stop.
    fileprivate static func clause(_ words: String) -> String {
        words.isEmpty ? "no reason is given" : words.hasSuffix(".") ? String(words.dropLast()) : words
    }
}

// What follows is worded to stand after a colon, or after the name of what it is about.

extension SpeechError.ScriptProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong(let limit): "it is longer than \(limit) bytes"
        case .tooDeep(let limit): "it is nested more than \(limit) levels deep"
        case .expected(let what): "\(what) is expected"
        case .unexpected(let what): "\(what) is not expected"
        case .refused(let what): "\(what) is never followed"
        case .badValue(let name, let value): "\"\(value)\" is no value for \(name)"
        }
    }
}

extension SpeechError.BlendProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .incomplete(let text): "in \"\(text)\" a voice is missing beside a + or *"
        case .weight(let weight, let voice): "\"\(weight)\" is no weight for \(voice)"
        case .tooManyVoices(let count, let most): "\(count) are too many, \(most) are possible"
        case .speaker(let speaker): "the speaker \"\(speaker)\" cannot be chosen for several voices"
        case .notSupported(let engine): "the engine \(engine) blends none"
        case .twoEngines(let title, let other): "\(title) and \(other) are of two engines"
        case .twoModels(let title, let other): "\(title) and \(other) are of two models"
        }
    }
}

extension SpeechError.VoiceProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .engineMissing(let engine): "its engine \(engine) is not here"
        case .notSupported(let why): why.map(SpeechError.clause) ?? "its engine cannot speak it"
        case .damaged(let why): "it is damaged, \(SpeechError.clause(why))"
        case .fileMissing(let role): "it has no file for the role \"\(role)\""
        }
    }
}

extension SpeechError.EngineProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .crashed(let signal): "crashed (signal \(signal))"
        case .exited(let code): "ended its process with code \(code)"
        case .hung(let limit): "gave no answer in \(limit)"
        case .failed(let words): "cannot do this: \(SpeechError.clause(words))"
        case .unspeakableText: "cannot speak this: a sentence is too long, or holds a NUL"
        case .violatedContract(let words): "broke the contract of its interface: \(SpeechError.clause(words))"
        case .violatedProtocol: "damaged the process that it runs in"
        case .notLoaded(let problem): "is not loaded: \(problem)"
        case .notStarted(let code): "could not be started" + (code.map { ": \(Errno($0))" } ?? "")
        }
    }
}

extension SpeechError.LoadProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notLoadable: "its file is damaged, or made for another kind of machine"
        case .lacksLibrary(let name): "the library \(name) is not installed"
        case .untrusted: "others could have written its file, or what it loads"
        case .incompatible: "its file is no engine, or one for another version"
        case .violatesContract: "what it says of itself breaks the contract of its interface"
        }
    }
}

extension SpeechError.OutputProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .fileNotCreated(let path, let code): "The file \(path) cannot be written: \(Errno(code))"
        case .fileNotWritten(let path, let code): "Writing \(path) failed: \(Errno(code))"
        case .fileInUse(let path): "The file \(path) is read for the same sound, so it is not written"
        case .fileNotReplaced(let path): "The folder of \(path) takes no new file to put in its place"
        case .oneFile(let path): "The file \(path) is asked for twice, for the sound and for its times"
        case .endingUnknown(let path): "The ending of \(path) is no format that can be written"
        case .endingContradicts(let path, let ending, let asked):
            "\(path) ends like a file of \(ending.rawValue), and \(asked.rawValue) was asked for"
        case .timingsEndingUnknown(let path): "The ending of \(path) is no format of times"
        case .formatMissing(let format, _): "The libsndfile of this machine does not write \(format.rawValue)"
        case .encoderNotLoaded(let library): "\(library), which encodes sound, cannot be loaded"
        case .encodingFailed(let format): "The sound could not be encoded as \(format.rawValue)"
        case .tagTooLong(let bytes, let limit): "A tag has \(bytes) bytes, and a sound file takes \(limit)"
        case .readerGone: "The program that read the sound has ended"
        case .deviceMissing("default", _): "This machine has no sound card, or it offers no sound to this user"
        case .deviceMissing(let device, _): "The sound device \"\(device)\" does not exist"
        case .deviceNotOpened(let device, let code): "The sound device \"\(device)\" does not open: \(Errno(code))"
        case .deviceRefusesFormat(let device, let format, _):
            "The sound device \"\(device)\" does not play \(format.sampleRate) Hz with \(format.channels) channels"
        case .deviceFailed(let device, let code): "The sound device \"\(device)\" failed: \(Errno(code))"
        case .deviceStalled(let device): "The sound device \"\(device)\" takes no sound any more"
        case .formatUnusable(let format):
            "Sound of \(format.sampleRate) Hz with \(format.channels) channels cannot be handled"
        case .speedUnusable(let rate, let pitch): "A rate of \(rate) with a pitch of \(pitch) is out of range"
        case .notConverted: "The sound could not be converted"
        }
    }
}

extension SpeechError.ClipProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknown(let candidates):
            candidates.isEmpty ? "there is none" : "there is none, but \(candidates.joined(separator: ", "))"
        case .ambiguous(let files): "several files have the name, \(files.joined(separator: ", "))"
        case .notAllowed: "a document may not ask for it"
        case .notOpened(let path, let code): "\(path) cannot be opened, \(Errno(code))"
        case .decoderNotLoaded(let library): "\(library), which reads sound files, cannot be loaded"
        case .notSound(let path): "\(path) is not an audio file that can be read"
        case .damaged(let path, let frame): "\(path) is damaged at frame \(frame)"
        case .tooLong(let path, let limit): "\(path) is longer than \(limit)"
        case .formatUnusable(let path, let format):
            "\(path) has \(format.sampleRate) Hz and \(format.channels) channels, which cannot be handled"
        }
    }
}

extension SpeechError.SettingsProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .environment(let variable): "The environment variable \(variable) is not UTF-8"
        case .configuration(let error): "The configuration cannot be used: \(error)"
        case .registry(let origin, let line):
            "The registry of voices \(origin) cannot be used" + (line.map { ": line \($0) is wrong" } ?? "")
        }
    }
}

extension SpeechError.ListeningProblem: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noRecognizer(let folder): "No recognizer is here that could understand speech: \(folder) has none"
        case .unknownRecognizer(let id, let known):
            "There is no recognizer \"\(id)\"" + SpeechError.choice(known)
        case .unknownModel(let name, let known):
            "There is no model \"\(name)\" of a recognizer" + SpeechError.choice(known)
        case .noModel(let language?): "No model of a recognizer that is here understands \(language)"
        case .noModel(nil): "No model of a recognizer is here"
        case .notDownloaded(let model, let bytes):
            "The model \(model) is not downloaded (\(ByteCount.words(bytes)))"
        case .microphoneMissing(let device, let known):
            "There is no microphone \"\(device)\"" + SpeechError.choice(known)
        case .microphoneNotOpened(let device, let code): "The microphone \"\(device)\" does not open: \(Errno(code))"
        case .microphoneRefusesFormat(let device, let format, _):
            "The microphone \"\(device)\" does not record \(format.sampleRate) Hz with \(format.channels) channels"
        case .microphoneFailed(let device, let code): "The microphone \"\(device)\" failed: \(Errno(code))"
        }
    }
}

extension SpeechError {
    fileprivate static func choice(_ known: [String]) -> String {
        known.isEmpty ? "" : "; there are \(known.prefix(8).joined(separator: ", "))"
    }
}
