import SynthCommandSyntax
import SynthHost
import SynthJSON
import SynthSystem
import SynthTerminal

/// The failure of a command, with the message, the next step and the exit code.
struct CommandFailure: Error {
    let code: ExitCode
    /// The message, or nil to print nothing, for example if the program that reads the output has exited.
    let message: String?
    let remedy: String

    init(_ code: ExitCode, _ message: String?, _ remedy: String = "") {
        self.code = code
        self.message = message
        self.remedy = remedy
    }

    /// Returns the same failure with a different exit code.
    func with(_ code: ExitCode) -> CommandFailure { CommandFailure(code, message, remedy) }

    /// Returns the same failure with a clause added to its message.
    ///
    /// - Parameter clause: a clause such as "good.wav is unchanged", or nil.
    func adding(_ clause: String?) -> CommandFailure {
        guard let message, let clause else { return self }
        return CommandFailure(
            code, (message.hasSuffix(".") ? String(message.dropLast()) : message) + "; \(clause).", remedy)
    }

    /// The human-readable text: the message on one line, and the next step on another line. nil to print nothing.
    var text: String? {
        guard let message else { return nil }
        let line = "synthhost: " + CleanText.line(message, limit: Self.longest)
        return remedy.isEmpty ? line : line + "\n" + CleanText.line(remedy, limit: Self.longest)
    }

    /// The machine-readable event, in the same format as progress events.
    var json: String? {
        message.map { message in
            """
            {"event":"error","code":\(code.rawValue),"message":\(JSONString.quoted(message)),\
            "remedy":\(JSONString.quoted(remedy))}
            """
        }
    }

    /// The maximum line length in Unicode scalars. External names can have any length.
    private static let longest = 4000

    /// Converts any error that ends a command into a failure.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as UsageError: self.init(UsageError.exitCode, error.message, error.remedy)
        case let cause as any ErrorCause: self.init(cause, pull: nil)
        default: self.init(.failure, "The command failed: \(error).")
        }
    }

    /// Converts an error into a failure with its message and remedy.
    ///
    /// - Parameter pull: the command that resumes a download, or nil for the command that downloads only this voice.
    init(_ cause: some ErrorCause, pull: String? = nil) {
        let isSilent = cause.code == .readerGone || cause.underlying as? TerminalError == .interrupted
        self.init(
            ExitCode(cause.code), isSilent ? nil : cause.message, cause.remedy?.command(pull: pull) ?? "")
    }

    /// The failure if a voice or model is not downloaded and network access is turned off.
    ///
    /// - Parameter pull: the command that downloads it.
    init(offline subject: String, pull: String) {
        self.init(
            .unavailable, "\(subject) is not downloaded, and network access is turned off.",
            "Allow network access (omit --offline and unset SYNTHHOST_OFFLINE), then type: \(pull)")
    }

    /// The failure if the file in an argument cannot be read.
    init(unreadable path: String, _ error: Errno) {
        self.init(
            .inputMissing, SpeechError.notReadable(path, error).message,
            "Pass a file that exists and that you have permission to read.")
    }
}

extension VoiceReplacement {
    /// The replacement as a command failure, with a message that names the voice that takes over.
    var commandFailure: CommandFailure {
        CommandFailure(.engineCrashed, sentence, error.nextStep)
    }
}

extension ExitCode {
    /// The exit code for an error.
    init(_ code: SpeechError.Code) {
        self =
            switch code {
            case .cancelled: .interrupted
            case .readerGone: .done
            case .blendInvalid, .voiceNotSingle, .precisionUnknown, .ownFilesUnclear, .channelUnavailable,
                .formatUnknown, .formatContradicted, .tagTooLong, .timingsFormatUnknown, .outputsCollide,
                .recognizerUnknown, .modelUnknown, .modelLanguageUnsupported, .translationUnsupported,
                .languageInvalid, .settingInvalid, .tokenInvalid:
                .usage
            case .fileNotReadable, .textInvalid, .textSourceFailed, .scriptInvalid, .nothingToSay, .clipUnknown,
                .clipAmbiguous, .clipNotAllowed, .clipInvalid, .recordingNotReadable, .recordingInvalid,
                .recordingTooLong, .ownFilesIncomplete, .documentEncrypted, .documentUnsupported, .documentDamaged,
                .documentTooLarge, .documentEmpty, .documentNotRead, .bookListInvalid:
                .inputMissing
            case .noEngine, .engineUnknown, .engineWithoutVoices, .voiceUnknown, .voiceKeyUnknown, .voiceAmbiguous,
                .speakerUnknown, .languageUnsupported, .blendUnsupported, .voiceUnsupported, .voiceWithoutEngine,
                .voiceNotDownloaded, .voiceDamaged, .voiceIncomplete, .voiceFileInvalid, .voiceBuiltIn,
                .voiceNotInstalled, .voiceInUse, .downloadFailed, .removalFailed, .idInvalid, .voiceNotAdded,
                .engineNotLoaded, .engineFileInvalid, .recognizerMissing, .recognizerNotLoaded, .modelMissing,
                .modelNotDownloaded, .libraryMissing, .decoderMissing, .serverRefused, .contentInvalid, .fileMissing:
                .unavailable
            case .engineCrashed, .engineHung, .engineContractBroken, .recognizerCrashed: .engineCrashed
            case .fileNotCreated, .folderMissing, .fileInUse, .formatUnsupported, .timingsNotWritten,
                .configurationNotWritten, .bookFolderUnusable, .terminalFailed:
                .cannotWriteOutput
            case .diskFull, .fileNotWritten, .fileTooLarge, .encodingFailed, .deviceMissing, .deviceNotOpened,
                .deviceFormatUnsupported, .deviceFailed, .microphoneFailed, .descriptorsExhausted, .storeFailed,
                .converterFailed, .downloaderFailed:
                .audioOrDisk
            case .overloaded, .threadsExhausted, .filesBusy, .networkFailed, .offline, .bookBusy, .bookIncomplete:
                .tryAgain
            case .lexiconInvalid, .configurationInvalid, .registryInvalid, .environmentInvalid: .configuration
            case .installationIncomplete, .alreadyRead, .closed, .engineNotStarted, .engineRefused, .engineFailed,
                .recognizerRefused, .recognizerFailed, .soundFormatUnsupported, .speedOutOfRange, .soundNotConverted,
                .loudnessNotMeasured, .questionUnanswered, .pageUnusable, .tokenUnusable:
                .failure
            }
    }
}
