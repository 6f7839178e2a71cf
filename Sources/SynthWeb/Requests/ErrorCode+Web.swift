import SynthHost
package import SynthHTTPServer
package import SynthSystem

extension SpeechError.Code {
    /// The status of the response if no audio or text has been sent yet. Clients automatically retry a request after a
    /// 5xx, 429, 409 or 408 status.
    package var status: HTTPStatus { answer.status }

    /// The machine-readable error code.
    package var word: String { answer.word }

    private var answer: (status: HTTPStatus, word: String) {
        switch self {
        case .overloaded: (.serviceUnavailable, "busy")
        // Retrying does not help until a voice or recognizer is installed.
        case .voiceNotDownloaded: (.notFound, "voice_not_downloaded")
        case .recognizerMissing: (.notFound, "no_recognizer")
        case .modelNotDownloaded: (.notFound, "model_not_downloaded")
        case .voiceKeyUnknown: (.notFound, "unknown_voice")
        case .recognizerUnknown, .modelUnknown: (.notFound, "unknown_model")
        case .voiceUnknown: (.badRequest, "unknown_voice")
        case .voiceAmbiguous: (.badRequest, "ambiguous_voice")
        case .speakerUnknown: (.badRequest, "unknown_speaker")
        case .languageUnsupported: (.badRequest, "unknown_language")
        case .noEngine, .voiceDamaged, .voiceIncomplete, .voiceFileInvalid: (.serviceUnavailable, "voice_unusable")
        case .engineUnknown, .engineWithoutVoices, .blendInvalid, .blendUnsupported, .voiceUnsupported,
            .voiceWithoutEngine, .voiceNotSingle, .precisionUnknown:
            (.badRequest, "voice_unusable")
        case .textInvalid: (.badRequest, "invalid_text")
        case .nothingToSay: (.badRequest, "nothing_to_say")
        case .scriptInvalid, .channelUnavailable, .clipUnknown, .clipAmbiguous, .clipNotAllowed, .clipInvalid,
            .decoderMissing:
            (.badRequest, "invalid_markup")
        case .engineCrashed, .engineHung, .engineContractBroken, .engineNotLoaded, .engineNotStarted,
            .engineFileInvalid, .engineRefused, .engineFailed:
            (.serviceUnavailable, "engine_failed")
        case .recognizerRefused: (.badRequest, "invalid_request")
        case .recognizerNotLoaded: (.serviceUnavailable, "recognizer_unusable")
        case .recognizerFailed, .recognizerCrashed: (.serviceUnavailable, "recognizer_failed")
        case .modelMissing, .modelLanguageUnsupported, .languageInvalid: (.badRequest, "unsupported_language")
        case .translationUnsupported: (.badRequest, "cannot_translate")
        case .recordingNotReadable: (.internalServerError, "sound_not_read")
        case .recordingInvalid: (.badRequest, "invalid_sound")
        case .recordingTooLong: (.contentTooLarge, "sound_too_long")
        case .voiceBuiltIn: (.conflict, "voice_built_in")
        case .voiceNotInstalled: (.conflict, "voice_not_downloaded")
        case .voiceInUse, .filesBusy: (.conflict, "voice_in_use")
        case .downloadFailed, .networkFailed, .offline, .serverRefused, .contentInvalid, .downloaderFailed:
            (.internalServerError, "download_failed")
        case .removalFailed: (.internalServerError, "not_removed")
        case .diskFull: (.insufficientStorage, "disk_full")
        case .configurationInvalid, .settingInvalid, .configurationNotWritten, .storeFailed, .fileMissing, .idInvalid,
            .ownFilesIncomplete, .ownFilesUnclear, .voiceNotAdded:
            (.internalServerError, "not_saved")
        case .documentEncrypted: (.unprocessableContent, "document_encrypted")
        case .documentUnsupported: (.unprocessableContent, "document_unknown")
        case .documentDamaged: (.unprocessableContent, "document_damaged")
        case .documentTooLarge: (.contentTooLarge, "document_too_large")
        case .documentEmpty: (.unprocessableContent, "document_empty")
        case .documentNotRead: (.internalServerError, "document_not_read")
        // A retry may succeed, or a load balancer may send it to another server.
        case .cancelled, .threadsExhausted, .descriptorsExhausted, .libraryMissing, .installationIncomplete,
            .alreadyRead, .closed, .fileNotReadable, .textSourceFailed, .lexiconInvalid, .fileNotCreated,
            .folderMissing, .fileInUse, .fileNotWritten, .fileTooLarge, .formatUnknown, .formatContradicted,
            .formatUnsupported, .encodingFailed, .tagTooLong, .timingsNotWritten, .timingsFormatUnknown,
            .outputsCollide, .readerGone, .deviceMissing, .deviceNotOpened, .deviceFormatUnsupported, .deviceFailed,
            .soundFormatUnsupported, .speedOutOfRange, .soundNotConverted, .loudnessNotMeasured, .microphoneFailed,
            .environmentInvalid, .registryInvalid, .bookFolderUnusable, .bookBusy, .bookIncomplete, .bookListInvalid,
            .converterFailed, .terminalFailed, .questionUnanswered, .pageUnusable, .tokenUnusable, .tokenInvalid:
            (.serviceUnavailable, "speech_failed")
        }
    }

    /// The name of the invalid member of the request body.
    var parameter: String? {
        switch self {
        case .noEngine, .engineUnknown, .engineWithoutVoices, .voiceUnknown, .voiceAmbiguous, .speakerUnknown,
            .languageUnsupported, .blendInvalid, .blendUnsupported, .voiceUnsupported, .voiceWithoutEngine,
            .voiceNotDownloaded, .voiceDamaged, .voiceIncomplete:
            "voice"
        case .recordingNotReadable, .recordingInvalid, .recordingTooLong: "file"
        case .recognizerMissing, .recognizerNotLoaded, .recognizerUnknown, .modelUnknown, .modelMissing,
            .modelLanguageUnsupported,
            .modelNotDownloaded:
            "model"
        case .languageInvalid: "language"
        default: nil
        }
    }
}
