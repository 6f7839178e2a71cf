package import SynthAudio
package import SynthBooks
package import SynthCatalogue
package import SynthCommandSyntax
package import SynthEngineProcesses
import SynthEngineWire
package import SynthHost
import SynthJSON
package import SynthScript
import SynthSentences
package import SynthSystem
package import SynthTerminal

/// Why a command ends without success: what happened, what to type next, and the exit code.
package struct CommandFailure: Error {
    package let code: ExitCode
    /// nil = nothing is printed, as when the reader of the output has ended.
    package let message: String?
    package let remedy: String

    package init(_ code: ExitCode, _ message: String?, _ remedy: String = "") {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// The same with another exit code.
    package func with(_ code: ExitCode) -> CommandFailure { CommandFailure(code, message, remedy) }

    /// The same with more of what happened.
    ///
    /// - Parameter clause: "good.wav stays as it was"; nil = there is no more.
    package func adding(_ clause: String?) -> CommandFailure {
        guard let message, let clause else { return self }
        return CommandFailure(
            code, (message.hasSuffix(".") ? String(message.dropLast()) : message) + "; \(clause).", remedy)
    }

    /// For people: what happened on one line, what to type next on another. nil = nothing is printed.
    var text: String? {
        guard let message else { return nil }
        let line = "synthhost: " + CleanText.line(message, limit: Self.longest)
        return remedy.isEmpty ? line : line + "\n" + CleanText.line(remedy, limit: Self.longest)
    }

    /// For programs: an event like those of the progress.
    var json: String? {
        message.map { message in
            """
            {"event":"error","code":\(code.rawValue),"message":\(JSONString.quoted(message)),\
            "remedy":\(JSONString.quoted(remedy))}
            """
        }
    }

    /// The longest line, in Unicode scalars. Names from outside may have any length.
    private static let longest = 4000

    /// The failure for any error that ends a command.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as AudioError: self.init(error)
        case let error as BookFailure: self.init(error)
        case let error as ConfigurationError: self.init(error)
        case let error as EngineFailure: self.init(error)
        case let error as LibraryProblem: self.init(error, pull: nil)
        case let error as RegistryError: self.init(error)
        case let error as SpeechFailure: self.init(error)
        case let error as TerminalError: self.init(error)
        case let error as TextError: self.init(error)
        case let error as UsageError: self.init(UsageError.exitCode, error.message, error.remedy)
        case let error as VoiceError: self.init(error)
        default: self.init(.failure, "The command failed: \(error).")
        }
    }

    package init(_ error: TerminalError) {
        switch error {
        case .brokenPipe: self.init(.done, nil)
        case .failed: self.init(.cannotWriteOutput, error.message, error.remedy)
        case .interrupted: self.init(.interrupted, nil)
        case .cancelled: self.init(.interrupted, error.message)
        case .noAnswer: self.init(.failure, error.message, error.remedy)
        }
    }

    package init(_ error: VoiceError) {
        self.init(error.isMistyped ? .usage : .unavailable, error.message, error.remedy)
    }

    package init(_ error: TextError) { self.init(.inputMissing, error.message, error.remedy) }

    package init(_ error: ConfigurationError) { self.init(ExitCode(error), error.message, error.remedy) }

    package init(_ error: RegistryError) { self.init(.configuration, error.message, error.remedy) }

    /// - Parameter pull: the command that resumes the download; nil = the one that downloads the voice alone.
    package init(_ problem: LibraryProblem, pull: String? = nil) {
        switch problem {
        case .store(let error):
            let code: ExitCode =
                switch error.kind {
                case .tryAgain, .offline: .tryAgain
                case .refused, .wrongContent, .unknown: .unavailable
                case .diskFull, .file: .audioOrDisk
                case .cancelled: .interrupted
                }
            self.init(code, error.message, error.remedy(pull: pull))
        case .configuration(let error): self.init(error)
        case .speech(let failure): self.init(failure)
        case .ownFiles(let problem): self.init(problem)
        case .hearing(let problem): self.init(problem)
        case .notOneVoice, .noPrecision: self.init(.usage, problem.message, problem.remedy)
        default: self.init(.unavailable, problem.message, problem.remedy)
        }
    }

    private init(_ problem: HearingProblem) {
        switch problem {
        case .unusable(let failure): self.init(failure)
        case .unknownRecognizer, .onlyDetects, .unknownModel, .otherLanguage:
            self.init(
                .usage, problem.message, problem.remedy)
        case .noRecognizer, .noModel, .notDownloaded: self.init(.unavailable, problem.message, problem.remedy)
        }
    }

    private init(_ problem: OwnFilesProblem) {
        switch problem {
        case .needs, .missing, .noVoice, .noModel: self.init(.inputMissing, problem.message, problem.remedy)
        case .deaf(_, let failure): self.init(Self.code(ofOwnFiles: failure), problem.message, problem.remedy)
        case .silent(let title, .engine(let failure)): self.init(failure, refusing: title)
        case .silent(_, .voiceFile): self.init(.unavailable, problem.message, problem.remedy)
        case .silent(_, let failure): self.init(failure)
        case .unsupported: self.init(.unavailable, problem.message, problem.remedy)
        default: self.init(.usage, problem.message, problem.remedy)
        }
    }

    /// A recognizer that refuses a model refuses its files.
    private static func code(ofOwnFiles failure: EngineFailure) -> ExitCode {
        if case .reported = failure.reason { .unavailable } else { code(of: failure.reason) }
    }

    package init(_ error: EngineFailure) { self.init(Self.code(of: error.reason), error.message, error.remedy) }

    package init(_ error: AudioError) {
        let code: ExitCode =
            switch error.kind {
            case .wrongRequest: .usage
            case .cannotCreateOutput: .cannotWriteOutput
            case .deviceOrDiskIO: .audioOrDisk
            case .brokenPipe: .done
            case .unusableAudio: .failure
            }
        self.init(code, error.kind == .brokenPipe ? nil : error.message, error.remedy)
    }

    /// A file that an argument names cannot be read.
    package init(unreadable path: String, _ error: Errno) {
        self.init(
            .inputMissing, SpeechFailure.input(path, error).message, "Name a file that is there, and that you may read."
        )
    }

    package init(_ failure: BookFailure) {
        switch failure {
        case .speech(let error): self.init(error)
        case .audio(let error, _): self.init(error)
        case .loudness: self.init(.failure, failure.message, failure.remedy)
        case .file, .foreignFile, .otherBook: self.init(.cannotWriteOutput, failure.message, failure.remedy)
        case .converter: self.init(.audioOrDisk, failure.message, failure.remedy)
        case .text(_, let error):
            let code = CommandFailure(error).code
            self.init(code, failure.message, failure.remedy)
        case .list, .cast: self.init(.inputMissing, failure.message, failure.remedy)
        case .busy, .missing, .missingTexts: self.init(.tryAgain, failure.message, failure.remedy)
        case .empty: self.init(.inputMissing, failure.message, failure.remedy)
        }
    }

    package init(_ error: SpeechFailure) {
        switch error {
        case .engine(let failure): self.init(failure)
        case .voiceFile: self.init(.unavailable, error.message, error.remedy)
        case .voice(let error): self.init(error)
        case .audio(let error): self.init(error)
        case .timings: self.init(.cannotWriteOutput, error.message, error.remedy)
        case .timingsEndingUnknown: self.init(.usage, error.message, error.remedy)
        case .text(let error): self.init(error)
        case .script, .textSource, .input: self.init(.inputMissing, error.message, error.remedy)
        case .channel: self.init(.usage, error.message, error.remedy)
        case .lexicon: self.init(.configuration, error.message, error.remedy)
        case .libraryNotLoaded: self.init(.unavailable, error.message, error.remedy)
        case .noThread, .overloaded: self.init(.tryAgain, error.message, error.remedy)
        case .clip(_, .file(let clip)):
            if case .decoderNotLoaded = clip.reason {
                self.init(.unavailable, error.message, error.remedy)
            } else {
                self.init(.inputMissing, error.message, error.remedy)
            }
        case .clip(_, .name): self.init(.inputMissing, error.message, error.remedy)
        case .installation, .host: self.init(.failure, error.message, error.remedy)
        case .registry(let error): self.init(error)
        case .alreadyRead, .closed: self.init(.failure, error.message, error.remedy)
        }
    }

    private static func code(of reason: EngineFailure.Reason) -> ExitCode {
        switch reason {
        case .crashed, .exited, .hung, .violatedProtocol: .engineCrashed
        case .refused: .unavailable
        case .notStarted, .unspeakableText: .failure
        case .reported(let error):
            switch error.kind {
            case .missingFile, .badFile: .unavailable
            case .violatedContract: .engineCrashed
            case .badRequest, .noMemory, .failed: .failure
            }
        }
    }
}

extension CommandFailure {
    /// The engine cannot speak a voice that is being added.
    package init(_ error: EngineFailure, refusing title: String) {
        if case .reported(let reported) = error.reason, reported.kind == .failed {
            self.init(.unavailable, reported.words)
            return
        }
        var code = CommandFailure(error).code
        // The test text is trivial, so a refused request means that the voice is unusable.
        if case .reported(let reported) = error.reason, reported.kind == .badRequest { code = .unavailable }
        self.init(
            code, "\(title) was not added, because its engine cannot speak it. \(error.message)",
            error.log.map { "Get other files of it, or tell the engine's author. Its log: \($0)" }
                ?? "Get other files of it, or tell the engine's author.")
    }
}

extension VoiceReplacement {
    /// What happened and who speaks on, for whoever ran the command, with what to do about it.
    package var commandFailure: CommandFailure { CommandFailure(.engineCrashed, sentence, failure.remedy) }
}
