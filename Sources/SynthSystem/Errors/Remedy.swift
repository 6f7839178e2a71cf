extension SpeechError {
    /// What the user can do about an error. Its values are facts only, so that each program can word it, or do it.
    @nonexhaustive
    public enum Remedy: Hashable, Sendable {
        /// Download the voice of this name.
        case downloadVoice(String)
        /// Download the recognizer's model of this id.
        case downloadModel(String)
        /// Resume the download of the voice or model of this id.
        case resumeDownload(String, after: Obstacle)
        /// Choose another voice.
        case chooseVoice
        /// Choose a voice that the engine can speak.
        case chooseOtherVoice
        /// Choose one of the candidates, such as this one.
        case chooseVoiceNamed(String)
        /// Choose one of these voices.
        case chooseVoiceOf([String])
        /// Name the engine of the voice, too.
        case nameEngineOfVoice
        /// Ask the service for its voices.
        case listVoices
        /// See which voices are installed.
        case listInstalled
        /// Name no speaker.
        case omitSpeaker
        /// Choose one of the speakers of this voice.
        case selectSpeaker(voice: String)
        /// Write a blend as voices with weights.
        case writeBlend
        /// Write the speaker after its voice in the blend.
        case putSpeakerInBlend
        /// Blend voices of one engine and one model.
        case compareEngines
        /// Choose another default voice for this engine.
        case forgetVoice(engine: String)
        /// Add the user's own voice of this id again, or remove it.
        case addVoiceAgain(String)
        /// Remove the user's own voice, and add it with all its files.
        case addWholeVoice
        /// Verify the files of the voice of this id, and download damaged ones again.
        case repairVoice(String)
        /// Add the user's own voice of this id again, with a whole file of the right kind.
        case replaceOwnFile(voice: String, isShared: Bool)
        /// Name no precision.
        case omitPrecision
        /// Choose one of these precisions, each with its size.
        case choosePrecision([String])
        /// Choose one of the installed engines.
        case chooseEngine
        /// See in which folders engines are searched.
        case inspectPlugins
        /// Name this engine, which is an example.
        case useExample(String)
        /// Install the engine of this id.
        case installEngine(String)
        /// Allow the engine what it asks for; the other remedy comes first if it may help, too.
        indirect case allowNeeds([Need], engine: String, or: Remedy?)
        /// Try again, or choose another engine; the file of its log, if it has one.
        case tryOtherEngine(log: String?)
        /// Ask the engine again what it is; the file of its log, if it has one.
        case rescan(log: String?)
        /// Choose another text, voice or setting.
        case chooseOtherRequest
        /// See what is missing on this machine.
        case inspectInstallation
        /// See what is missing on this machine, and the limits of this user.
        case inspectLimits
        /// Copy the file again.
        case copyAgain
        /// Free memory, or allow programs on the file system.
        case checkMemory
        /// Install or build the engine for the folder that it is in.
        case rebuildHere
        /// Build the engine with an absolute path for its libraries.
        case rebuildWithOrigin
        /// Make this file the superuser's, if you trust it.
        case trustFile(String)
        /// Move the file to a folder that only you can write.
        case moveToOwnFolder
        /// Take the right to write this file away.
        case withdrawRights(String, Rights)
        /// Allow engines without confinement.
        case allowUnconfined
        /// Remove the file from the folder of engines.
        case removePlugin
        /// Remove the file, or replace it by one that works.
        case replacePlugin
        /// Get an engine for this version of synthhost.
        case updatePlugin(version: String)
        /// Tell the author of the engine.
        case tellAuthor
        /// Ask the makers of the engine to correct what it declares.
        case reportEngine
        /// Install the library of this file name.
        case installLibrary(String)
        /// Install the library of this file name, or write a WAV file.
        case installEncoder(String)
        /// Install synthhost, or name the folder that it is in.
        case installSynthhost
        /// Repair the file of the page.
        case repairPage(PageRepair)
        /// Repair the file of the token, or choose another one.
        case repairToken(TokenRepair)
        /// Name a file that can be read, or pass the text itself.
        case chooseText
        /// Convert the text to UTF-8; it is in this encoding, or may be.
        case convertText(from: String)
        /// Pass the whole text.
        case completeText
        /// Speak the text in several parts.
        case splitText
        /// Correct the place in the script, or read it as plain text.
        case correctScript
        /// Correct the line of this lexicon.
        case correctLexicon(String)
        /// Play the script with a queue, which has channels.
        case useChannels
        /// Try again in a moment.
        case tryLater
        /// End other programs, or raise a limit of this user.
        case raiseLimit(Limit)
        /// Create this folder.
        case createFolder(String, for: Output)
        /// Choose another file.
        case chooseFile(for: Output)
        /// Choose a file in this folder.
        case chooseFileInFolder(String)
        /// Choose another file, or overwrite this one.
        case overwriteFile(String)
        /// Free some space on the disk.
        case freeSpace(for: Output)
        /// Choose one of these formats.
        case chooseFormat([String])
        /// Choose one of these formats of times.
        case chooseTimingsFormat([String])
        /// Use the ending of the requested format in the file's name.
        case matchFormat(String, insteadOf: String)
        /// Choose a format that this machine writes.
        case chooseWrittenFormat
        /// Choose another format.
        case chooseOtherFormat
        /// Shorten the "title" or the "author".
        case shortenTag(String)
        /// Keep the program that reads the output running.
        case keepReaderRunning
        /// Keep the output open.
        case keepOutputOpen
        /// Give the answer as an option.
        case answerByOption
        /// Write a file instead.
        case writeFile
        /// Choose one of these sound devices.
        case chooseDevice([String])
        /// Choose another sound device.
        case chooseOtherDevice
        /// End the other program that uses the device.
        case freeDevice(Device)
        /// Make this user a member of the group "audio".
        case joinAudioGroup(Device)
        /// Start the sound server.
        case startSoundServer(Device)
        /// Use this device through ALSA's converter.
        case convertForDevice(String, Device)
        /// Connect a microphone.
        case connectMicrophone
        /// Connect the microphone again.
        case reconnectMicrophone
        /// Use another voice, whose sound has a common format.
        case useCommonFormat
        /// Choose a rate and a pitch in these ranges.
        case chooseSpeed(rates: ClosedRange<Double>, pitches: ClosedRange<Double>)
        /// Leave the rate and the pitch unchanged, or use another voice.
        case keepRateAndPitch
        /// Leave the loudness unchanged.
        case turnLoudnessOff
        /// Check the path and the permissions of the file.
        case checkFile
        /// Convert this file to WAV.
        case convertSound(String)
        /// Get the file again, or record it again.
        case replaceSound
        /// Choose an audio or video file.
        case chooseRecording
        /// Cut the sound into shorter files.
        case cutSound
        /// Name the clip in the configuration, or add its folder.
        case nameClip
        /// Use one channel for clips that follow each other.
        case useOneChannel
        /// Name the clip with its ending.
        case nameEnding
        /// Choose a folder of clips that can be read.
        case chooseClipFolder
        /// Install a recognizer into this folder.
        case installRecognizer(folder: String)
        /// See why no recognizer can be used.
        case inspectRecognizers
        /// Choose one of these recognizers.
        case chooseRecognizer([String])
        /// Choose a recognizer that transcribes.
        case chooseTranscriber
        /// Choose one of the models.
        case chooseModel
        /// Choose another model or recognizer.
        case chooseOtherModel
        /// Try again, or choose another recognizer; the file of its log, if it has one.
        case tryOtherRecognizer(log: String?)
        /// Check the configuration, or use another one.
        case chooseConfiguration
        /// Check the folder of the configuration, or use another one.
        case checkConfigurationFolder
        /// Correct the line of the configuration.
        case correctLine
        /// Write the keys of the configuration between braces.
        case writeObject
        /// Remove this key, or correct it to the one that may have been meant.
        case removeSetting(String, near: String?)
        /// Correct the value of this key, or remove it.
        case resetSetting(String)
        /// Correct this variable of the environment.
        case correctVariable(String)
        /// Choose a key of the configuration; the one that may have been meant.
        case chooseSetting(near: String?)
        /// Name the engine in this key.
        case nameEngineInSetting(String)
        /// Name the clip in this key.
        case nameClipInSetting(String)
        /// Name the voice and the rate, the pitch or the volume in the key.
        case nameFactorInSetting
        /// Set this key to a valid value.
        case changeSetting(String)
        /// Check the permissions of the registry, or install synthhost again.
        case checkRegistry
        /// Correct the registry, or move it away.
        case correctRegistry
        /// Run the same command to resume.
        case runAgain
        /// Run the same command again.
        case repeatCommand
        /// Wait for the other process, then run the same command.
        case waitForProcess
        /// Check the permissions of this file.
        case checkPermissions(String)
        /// Replace this link by what it points to, or remove it.
        case replaceLink(String)
        /// Move this file away.
        case moveAway(String)
        /// Remove this file, if nothing else needs it.
        case removeFile(String)
        /// Check the name of this file.
        case checkName(String)
        /// Replace it by a file.
        case putFileInPlace
        /// Run the same command again; the disk may be damaged.
        case runAgainOrCheckDisk
        /// Check this mirror, or do without it.
        case checkMirror(String)
        /// Use an https address as the mirror.
        case correctMirror
        /// Update synthhost, or choose another voice.
        case update
        /// Install synthhost again.
        case reinstall
        /// Choose another voice, or tell the publisher of this one.
        case reportArchive
        /// Try again, and report the crash if it happens again.
        case reportCrash
        /// Unpack the archive, and add the folder.
        case unpackFirst
        /// Choose another id.
        case chooseOtherID
        /// Put the missing file beside the others.
        case putFileBeside
        /// Name the file that is meant.
        case nameOneFile
        /// Name the language of the voice.
        case nameLanguage
        /// Name the model and a file for each voice.
        case nameVoiceFiles
        /// Give no name and no id.
        case omitNames
        /// Rename one of the files.
        case renameFile
        /// Give the voice a name.
        case nameVoice
        /// Name one of the engines.
        case nameEngine
        /// Name no engine, or another one.
        case chooseOtherEngine
        /// Name the engine of the files.
        case nameEngineOfFiles
        /// Rename a file so that it is found as the one of this role, and add the files.
        case renameAndAdd(String, to: String, role: String, Addition)
        /// Put these files in their places, and add all.
        case completeAndAdd([String], Addition)
        /// Unpack the archive, add the files of these roles, and add the folder.
        case unpackAndComplete([String])
        /// Add these files together; get the one that is missing first, if it is known where from.
        case addTogether(Addition, with: String?, from: String?)
        /// Add the files of one model at a time.
        case addOne(of: [Addition])
        /// Add the voices as voices of English.
        case addAsEnglish(Addition)
        /// Name the files of voices, too, or download this voice.
        case addVoicesOrDownload(String, precision: String?)
        /// Name one file for each role.
        case nameFiles
        /// Replace the files by whole ones of the right kind.
        case replaceFiles
        /// Get other files of the voice; the file of the engine's log, if it has one.
        case replaceVoiceFiles(log: String?)
        /// Use a copy without digital rights management.
        case useUnprotectedCopy
        /// Convert the document to a supported format.
        case convertDocument
        /// Run this command, which makes the document or the recording readable.
        case prepareDocument(String)
        /// Use a copy without a password.
        case removePassword
        /// Download the document again, or save it anew.
        case replaceDocument
        /// Speak the chapters of the document one by one.
        case splitDocument
        /// Remove the part of the document that is too complex.
        case simplifyDocument
        /// Use a document that contains text.
        case useTextDocument
        /// See what is missing on this machine, or report the document.
        case reportDocument
        /// Choose a folder that can be written.
        case chooseBookFolder
        /// Wait for the other process, or stop it.
        case waitForBook
        /// Move the file away, or choose another folder.
        case moveFileAway
        /// Let the other processes finish their parts.
        case finishShares
        /// Let the command write the cast.
        case writeCast
        /// Write each line of the list as an object of JSON.
        case writeList
        /// See which chapters the book has.
        case showChapters
        /// Choose a format that needs no ffmpeg.
        case chooseOtherBookFormat
        /// Name these authors again, if it is the same book.
        case repeatAuthor([String])
        /// Choose another folder.
        case chooseOtherBookFolder
    }
}
