package import SynthCommandSyntax
package import SynthSystem

extension ExitCode {
    /// The exit code for an error.
    package init(_ code: SpeechError.Code) {
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
