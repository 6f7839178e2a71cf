extension SpeechError {
    /// What happened, for programs. The raw value is the name of the case, for logs and protocols.
    @nonexhaustive
    public enum Code: String, CaseIterable, Sendable {
        // MARK: The request and the system

        /// The work was cancelled.
        case cancelled
        /// The service is at capacity.
        case overloaded
        /// The system or a user limit allows no further thread.
        case threadsExhausted
        /// The system or a user limit allows no further file descriptor.
        case descriptorsExhausted
        /// A system library is not installed, or does not load.
        case libraryMissing
        /// A synthhost program is not installed, or is damaged.
        case installationIncomplete
        /// The speech was already read. Call `speak` again to repeat it.
        case alreadyRead
        /// The session was closed.
        case closed

        // MARK: The text

        /// A file or a stream cannot be read.
        case fileNotReadable
        /// The text is not UTF-8.
        case textInvalid
        /// The sequence that supplied the text threw; `cause` is its error.
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

        /// No installed engine speaks a language.
        case noEngine
        /// No engine has that id.
        case engineUnknown
        /// The engine has no voice.
        case engineWithoutVoices
        /// No voice has that name.
        case voiceUnknown
        /// The service has no voice for that key.
        case voiceKeyUnknown
        /// The name matches several voices.
        case voiceAmbiguous
        /// One voice is needed, and the name means a speaker or a blend.
        case voiceNotSingle
        /// The voice has no such speaker.
        case speakerUnknown
        /// The engine has no voice for the language.
        case languageUnsupported
        /// The text is not a valid blend.
        case blendInvalid
        /// These voices cannot be blended.
        case blendUnsupported
        /// The engine of the voice cannot speak it.
        case voiceUnsupported
        /// The voice is known, but its engine is not installed.
        case voiceWithoutEngine
        /// The voice must be downloaded first.
        case voiceNotDownloaded
        /// A file of the voice is damaged.
        case voiceDamaged
        /// The voice has no file for a role that its engine requires.
        case voiceIncomplete
        /// The engine cannot use a file of the voice.
        case voiceFileInvalid
        /// The voice is part of its engine and has no files.
        case voiceBuiltIn
        /// The voice has no files on this machine.
        case voiceNotInstalled
        /// The voice speaks or is being downloaded, so its files cannot be changed.
        case voiceInUse
        /// The voice is not available in this precision.
        case precisionUnknown
        /// The files of the voice could not be downloaded.
        case downloadFailed
        /// The files of the voice could not be removed.
        case removalFailed
        /// Several voices cannot share one name or id.
        case idInvalid
        /// The user's files lack a file that the engine needs.
        case ownFilesIncomplete
        /// It is not clear which voices the user's files contain.
        case ownFilesUnclear
        /// The engine cannot speak the voice that was added.
        case voiceNotAdded

        // MARK: Engines

        /// The engine's process ended.
        case engineCrashed
        /// The engine did not respond in time.
        case engineHung
        /// The engine violated the contract of its interface.
        case engineContractBroken
        /// The file cannot be loaded as an engine.
        case engineNotLoaded
        /// The engine's process did not start.
        case engineNotStarted
        /// The engine cannot use a file.
        case engineFileInvalid
        /// The engine rejected this text, voice or setting.
        case engineRefused
        /// The engine failed.
        case engineFailed

        // MARK: Output

        /// A file of that name cannot be written.
        case fileNotCreated
        /// The folder of the file does not exist.
        case folderMissing
        /// The file is in use by the same command.
        case fileInUse
        /// Writing to the file failed.
        case fileNotWritten
        /// The file exceeds a limit of this user.
        case fileTooLarge
        /// The disk is full.
        case diskFull
        /// The file name does not imply a format.
        case formatUnknown
        /// The file name implies another format than the options.
        case formatContradicted
        /// The installed libsndfile cannot write the format.
        case formatUnsupported
        /// The encoder failed.
        case encodingFailed
        /// A title or an author is too long.
        case tagTooLong
        /// The timings file cannot be written.
        case timingsNotWritten
        /// The name of the timings file does not imply a format.
        case timingsFormatUnknown
        /// Two outputs have the same path.
        case outputsCollide
        /// The program that read the output has ended.
        case readerGone
        /// No sound device has that name.
        case deviceMissing
        /// The sound device cannot be opened.
        case deviceNotOpened
        /// The sound device cannot play this format.
        case deviceFormatUnsupported
        /// The sound device failed.
        case deviceFailed
        /// Audio in this format is not supported.
        case soundFormatUnsupported
        /// The rate or the pitch is out of range.
        case speedOutOfRange
        /// The audio cannot be converted.
        case soundNotConverted
        /// The loudness cannot be measured.
        case loudnessNotMeasured

        // MARK: Clips

        /// No clip has that name.
        case clipUnknown
        /// Several clips have that name.
        case clipAmbiguous
        /// A document may not use this clip.
        case clipNotAllowed
        /// The file of the clip cannot be used.
        case clipInvalid
        /// The library that decodes audio files is not installed, or does not load.
        case decoderMissing

        // MARK: Listening

        /// No recognizer is installed.
        case recognizerMissing
        /// No recognizer with that id transcribes.
        case recognizerUnknown
        /// The recognizer rejected this audio or language.
        case recognizerRefused
        /// The recognizer failed.
        case recognizerFailed
        /// The process of the recognizer ended, did not respond in time, or violated its contract.
        case recognizerCrashed
        /// The recognizer or its model does not load.
        case recognizerNotLoaded
        /// No model has that name.
        case modelUnknown
        /// No installed recognizer has a model for the language.
        case modelMissing
        /// The model is for other languages.
        case modelLanguageUnsupported
        /// The model must be downloaded first.
        case modelNotDownloaded
        /// The model cannot translate.
        case translationUnsupported
        /// The text is not a language tag.
        case languageInvalid
        /// No microphone has that name, or it does not work.
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
        /// The configuration has no such key, or the value is invalid for it.
        case settingInvalid
        /// The configuration cannot be written.
        case configurationNotWritten
        /// A registry of voices cannot be used.
        case registryInvalid

        // MARK: Voice files

        /// Another process is changing the same files.
        case filesBusy
        /// A file or folder of the store cannot be used.
        case storeFailed
        /// A file is missing.
        case fileMissing
        /// No server could be reached, or none sent the rest of the file.
        case networkFailed
        /// Use of the network was turned off.
        case offline
        /// A server refused the request.
        case serverRefused
        /// The program that downloads is missing or fails.
        case downloaderFailed
        /// The downloaded file or the archive has unexpected content.
        case contentInvalid

        // MARK: Documents and books

        /// The document is encrypted.
        case documentEncrypted
        /// The format of the document is not supported.
        case documentUnsupported
        /// The document is damaged.
        case documentDamaged
        /// The document is too large.
        case documentTooLarge
        /// The document contains no text.
        case documentEmpty
        /// The program that reads documents failed.
        case documentNotRead
        /// A file or folder of the book cannot be used.
        case bookFolderUnusable
        /// Another process is working on the book.
        case bookBusy
        /// Parts of the book are missing.
        case bookIncomplete
        /// The list or the cast file of the book cannot be used.
        case bookListInvalid
        /// ffmpeg failed.
        case converterFailed

        // MARK: The service

        /// A file of the web page is missing or cannot be read.
        case pageUnusable
        /// The token file cannot be used.
        case tokenUnusable
        /// The token file contains no valid token.
        case tokenInvalid

        // MARK: The terminal

        /// The output of the command cannot be written.
        case terminalFailed
        /// A question was not answered.
        case questionUnanswered
    }
}
