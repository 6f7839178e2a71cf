extension SpeechError {
    /// A machine-readable error code. The raw value is the case's name, for use in logs and protocols.
    @nonexhaustive
    public enum Code: String, CaseIterable, Sendable {
        // MARK: The request and the system

        /// The work was cancelled.
        case cancelled
        /// The service is at capacity.
        case overloaded
        /// The system or a user limit does not allow another thread.
        case threadsExhausted
        /// The system or a user limit does not allow another file descriptor.
        case descriptorsExhausted
        /// A system library is not installed or cannot be loaded.
        case libraryMissing
        /// A synthhost program is missing or damaged.
        case installationIncomplete
        /// The audio of this request has already been read. Call `speak` again to repeat the request.
        case alreadyRead
        /// The session was closed.
        case closed

        // MARK: The text

        /// A file or a stream cannot be read.
        case fileNotReadable
        /// The text is not UTF-8.
        case textInvalid
        /// The sequence that supplied the text threw an error, which is in `cause`.
        case textSourceFailed
        /// The text is not a valid script in its format.
        case scriptInvalid
        /// The text starts a clip on a channel, which requires a queue.
        case channelUnavailable
        /// A lexicon cannot be used.
        case lexiconInvalid
        /// The text contains nothing to speak.
        case nothingToSay

        // MARK: Voices

        /// No installed engine supports the language.
        case noEngine
        /// No engine has the requested ID.
        case engineUnknown
        /// The engine has no voices.
        case engineWithoutVoices
        /// No voice has the requested name.
        case voiceUnknown
        /// The service has no voice for this key.
        case voiceKeyUnknown
        /// The name matches several voices.
        case voiceAmbiguous
        /// The request requires a single voice, but the name refers to a speaker or a blend.
        case voiceNotSingle
        /// The voice has no speaker with this name.
        case speakerUnknown
        /// The engine has no voice for the language.
        case languageUnsupported
        /// The text is not a valid blend.
        case blendInvalid
        /// These voices cannot be blended.
        case blendUnsupported
        /// The voice's engine does not support the voice.
        case voiceUnsupported
        /// The voice is known, but its engine is not installed.
        case voiceWithoutEngine
        /// The voice must be downloaded first.
        case voiceNotDownloaded
        /// A file of the voice is damaged.
        case voiceDamaged
        /// The voice lacks a file for a role that its engine requires.
        case voiceIncomplete
        /// The engine cannot use one of the voice's files.
        case voiceFileInvalid
        /// The voice is part of its engine and has no files.
        case voiceBuiltIn
        /// The voice has no files on this machine.
        case voiceNotInstalled
        /// The voice is in use or being downloaded, so its files cannot be changed.
        case voiceInUse
        /// The voice is not available at this precision.
        case precisionUnknown
        /// The voice's files could not be downloaded.
        case downloadFailed
        /// The voice's files could not be removed.
        case removalFailed
        /// The name or ID conflicts with another voice's name or ID.
        case idInvalid
        /// The user's own files do not include a file that the engine needs.
        case ownFilesIncomplete
        /// It is unclear which voices the user's own files contain.
        case ownFilesUnclear
        /// The engine cannot use the voice, so the voice was not added.
        case voiceNotAdded

        // MARK: Engines

        /// The engine's process ended.
        case engineCrashed
        /// The engine did not respond in time.
        case engineHung
        /// The engine violated its interface contract.
        case engineContractBroken
        /// The file cannot be loaded as an engine.
        case engineNotLoaded
        /// The engine's process did not start.
        case engineNotStarted
        /// The engine cannot use one of its files.
        case engineFileInvalid
        /// The engine rejected this text, voice or setting.
        case engineRefused
        /// The engine failed.
        case engineFailed

        // MARK: Output

        /// A file with this name cannot be written.
        case fileNotCreated
        /// The file's folder does not exist.
        case folderMissing
        /// The command itself is using the file.
        case fileInUse
        /// Writing to the file failed.
        case fileNotWritten
        /// The file exceeds a limit set for this user.
        case fileTooLarge
        /// The disk is full.
        case diskFull
        /// The file name does not imply a format.
        case formatUnknown
        /// The format implied by the file name conflicts with the options.
        case formatContradicted
        /// The installed libsndfile cannot write the format.
        case formatUnsupported
        /// The encoder reported an error.
        case encodingFailed
        /// A title or an author is too long.
        case tagTooLong
        /// The timings file cannot be written.
        case timingsNotWritten
        /// The timings file's name does not imply a format.
        case timingsFormatUnknown
        /// Two outputs have the same path.
        case outputsCollide
        /// The program that was reading the output has exited.
        case readerGone
        /// No sound device has this name.
        case deviceMissing
        /// The sound device cannot be opened.
        case deviceNotOpened
        /// The sound device cannot play this format.
        case deviceFormatUnsupported
        /// The sound device stopped working.
        case deviceFailed
        /// Audio in this format is not supported.
        case soundFormatUnsupported
        /// The rate or pitch is out of range.
        case speedOutOfRange
        /// The audio cannot be converted.
        case soundNotConverted
        /// The loudness cannot be measured.
        case loudnessNotMeasured

        // MARK: Clips

        /// No clip has this name.
        case clipUnknown
        /// Several clips have this name.
        case clipAmbiguous
        /// The document is not allowed to use this clip.
        case clipNotAllowed
        /// The clip's file cannot be used.
        case clipInvalid
        /// The library that decodes audio files is not installed or cannot be loaded.
        case decoderMissing

        // MARK: Listening

        /// No recognizer is installed.
        case recognizerMissing
        /// No recognizer with this ID supports transcription.
        case recognizerUnknown
        /// The recognizer rejected this audio or language.
        case recognizerRefused
        /// The recognizer failed.
        case recognizerFailed
        /// The recognizer's process exited, did not respond in time, or violated its interface contract.
        case recognizerCrashed
        /// The recognizer or its model cannot be loaded.
        case recognizerNotLoaded
        /// No model has this name.
        case modelUnknown
        /// No installed recognizer has a model for the language.
        case modelMissing
        /// The model does not support the language.
        case modelLanguageUnsupported
        /// The model must be downloaded first.
        case modelNotDownloaded
        /// The model cannot translate.
        case translationUnsupported
        /// The text is not a language tag.
        case languageInvalid
        /// No microphone has this name, or it does not work.
        case microphoneFailed
        /// The recording cannot be read.
        case recordingNotReadable
        /// The recording contains no usable audio.
        case recordingInvalid
        /// The recording is too long.
        case recordingTooLong

        // MARK: Settings

        /// An environment variable is not UTF-8.
        case environmentInvalid
        /// The configuration cannot be used.
        case configurationInvalid
        /// The configuration has no such key, or the value is not valid for the key.
        case settingInvalid
        /// The configuration cannot be written.
        case configurationNotWritten
        /// A registry of voices cannot be used.
        case registryInvalid

        // MARK: Voice files

        /// Another process is changing the same files.
        case filesBusy
        /// A file or folder in the voice store cannot be used.
        case storeFailed
        /// A file is missing.
        case fileMissing
        /// No server could be reached, or the connection was lost before the file was complete.
        case networkFailed
        /// Network use was disabled.
        case offline
        /// The server rejected the request.
        case serverRefused
        /// The download program is missing or failed.
        case downloaderFailed
        /// The downloaded file or archive has unexpected content.
        case contentInvalid

        // MARK: Documents and books

        /// The document is encrypted.
        case documentEncrypted
        /// The document's format is not supported.
        case documentUnsupported
        /// The document is damaged.
        case documentDamaged
        /// The document is too large.
        case documentTooLarge
        /// The document contains no text.
        case documentEmpty
        /// The document reader failed.
        case documentNotRead
        /// One of the book's files or folders cannot be used.
        case bookFolderUnusable
        /// Another process is working on the book.
        case bookBusy
        /// Parts of the book are missing.
        case bookIncomplete
        /// The book's list or cast file cannot be used.
        case bookListInvalid
        /// ffmpeg failed.
        case converterFailed

        // MARK: The service

        /// One of the web page's files is missing or cannot be read.
        case pageUnusable
        /// The token file cannot be used.
        case tokenUnusable
        /// The token file contains no valid token.
        case tokenInvalid

        // MARK: The terminal

        /// The command's output cannot be written.
        case terminalFailed
        /// The user did not answer a question.
        case questionUnanswered
    }
}
