extension SpeechError {
    /// What happened, for programs. The raw value is the name of the case, for logs and protocols.
    @nonexhaustive
    public enum Code: String, CaseIterable, Sendable {
        // MARK: The request and the system

        /// The work was cancelled.
        case cancelled
        /// There is no room for this request now.
        case overloaded
        /// The system, or a limit of this user, leaves no thread.
        case threadsExhausted
        /// The system, or a limit of this user, leaves no file descriptor.
        case descriptorsExhausted
        /// A library of the system is not installed, or does not load.
        case libraryMissing
        /// A program of synthhost is not installed, or is damaged.
        case installationIncomplete
        /// The speech was read before; `speak` again to hear it again.
        case alreadyRead
        /// The session was closed.
        case closed

        // MARK: The text

        /// A file or a stream cannot be read.
        case fileNotReadable
        /// The text is not UTF-8.
        case textInvalid
        /// The sequence that gave the text threw; `cause` is its error.
        case textSourceFailed
        /// The text is not a script of its form.
        case scriptInvalid
        /// The text starts a clip on a channel, which only a queue has.
        case channelUnavailable
        /// A lexicon cannot be used.
        case lexiconInvalid
        /// The text contains nothing that can be spoken.
        case nothingToSay

        // MARK: Voices

        /// No engine is installed that speaks a language.
        case noEngine
        /// There is no engine of that id.
        case engineUnknown
        /// The engine has no voice.
        case engineWithoutVoices
        /// There is no such voice.
        case voiceUnknown
        /// The service knows no voice of that key.
        case voiceKeyUnknown
        /// The name means several voices.
        case voiceAmbiguous
        /// One voice is needed, and the name means a speaker or a blend.
        case voiceNotSingle
        /// The voice has no such speaker.
        case speakerUnknown
        /// The engine has no voice for the language.
        case languageUnsupported
        /// The text is not a blend.
        case blendInvalid
        /// These voices cannot be blended.
        case blendUnsupported
        /// The engine of the voice cannot speak it.
        case voiceUnsupported
        /// The voice is known, and its engine is not installed.
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
        /// The voice does not come in this precision.
        case precisionUnknown
        /// The files of the voice could not be downloaded.
        case downloadFailed
        /// The files of the voice could not be removed.
        case removalFailed
        /// Several voices cannot share one name or id.
        case idInvalid
        /// The user's files lack a file that the engine needs.
        case ownFilesIncomplete
        /// It is not clear which voices the user's files are.
        case ownFilesUnclear
        /// The engine cannot speak the voice that was added.
        case voiceNotAdded

        // MARK: Engines

        /// The process of the engine ended.
        case engineCrashed
        /// The engine gave no answer in time.
        case engineHung
        /// The engine broke the contract of its interface.
        case engineContractBroken
        /// The file is not loaded as an engine.
        case engineNotLoaded
        /// The process of the engine did not start.
        case engineNotStarted
        /// The engine cannot use a file.
        case engineFileInvalid
        /// The engine refuses this text, voice or setting.
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
        /// A limit of this user is smaller than the file.
        case fileTooLarge
        /// The disk is full.
        case diskFull
        /// The name of the file means no format.
        case formatUnknown
        /// The name of the file means another format than the options.
        case formatContradicted
        /// libsndfile of this machine does not write the format.
        case formatUnsupported
        /// The encoder failed.
        case encodingFailed
        /// A title or an author is too long.
        case tagTooLong
        /// The file of times cannot be written.
        case timingsNotWritten
        /// The name of the file of times means no format.
        case timingsFormatUnknown
        /// Two outputs have the same path.
        case outputsCollide
        /// The program that read the output has ended.
        case readerGone
        /// There is no such sound device.
        case deviceMissing
        /// The sound device does not open.
        case deviceNotOpened
        /// The sound device does not play this format.
        case deviceFormatUnsupported
        /// The sound device failed.
        case deviceFailed
        /// Sound of this format cannot be handled.
        case soundFormatUnsupported
        /// The rate or the pitch is out of range.
        case speedOutOfRange
        /// The sound cannot be converted.
        case soundNotConverted
        /// The loudness cannot be measured.
        case loudnessNotMeasured

        // MARK: Clips

        /// There is no clip of that name.
        case clipUnknown
        /// Several clips have the name.
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
        /// There is no recognizer of that id that transcribes.
        case recognizerUnknown
        /// The recognizer refuses this sound or language.
        case recognizerRefused
        /// The recognizer failed.
        case recognizerFailed
        /// The process of the recognizer ended, gave no answer in time, or broke its contract.
        case recognizerCrashed
        /// The recognizer or its model does not load.
        case recognizerNotLoaded
        /// There is no model of that name.
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
        /// There is no such microphone, or it does not work.
        case microphoneFailed
        /// The recording cannot be read.
        case recordingNotReadable
        /// The recording is not a sound that can be used.
        case recordingInvalid
        /// The recording is too long.
        case recordingTooLong

        // MARK: Settings

        /// A variable of the environment is not UTF-8.
        case environmentInvalid
        /// The configuration cannot be used.
        case configurationInvalid
        /// The configuration has no such key, or the value is invalid for it.
        case settingInvalid
        /// The configuration cannot be written.
        case configurationNotWritten
        /// A registry of voices cannot be used.
        case registryInvalid

        // MARK: Files of voices

        /// Another process changes the same files.
        case filesBusy
        /// A file or folder of the store cannot be used.
        case storeFailed
        /// A file is missing.
        case fileMissing
        /// No server could be reached, or none sent the rest.
        case networkFailed
        /// The network is not to be used.
        case offline
        /// A server refused the request.
        case serverRefused
        /// The program that downloads is missing or fails.
        case downloaderFailed
        /// The downloaded file or the archive is not as it should be.
        case contentInvalid

        // MARK: Documents and books

        /// The document is encrypted.
        case documentEncrypted
        /// The document has no supported format.
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
        /// Another process makes the book.
        case bookBusy
        /// Parts of the book are missing.
        case bookIncomplete
        /// The list or the cast of the book cannot be used.
        case bookListInvalid
        /// ffmpeg failed.
        case converterFailed

        // MARK: The service

        /// A file of the page is missing or cannot be read.
        case pageUnusable
        /// The file of the token cannot be used.
        case tokenUnusable
        /// The file of the token contains none.
        case tokenInvalid

        // MARK: The terminal

        /// The output of the command cannot be written.
        case terminalFailed
        /// A question got no answer.
        case questionUnanswered
    }
}
