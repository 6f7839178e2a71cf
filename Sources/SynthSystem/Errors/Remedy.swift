extension SpeechError {
    /// What the user can do about an error. Its values contain facts only, so that each program can word the remedy or
    /// carry it out.
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
        /// Also name the voice's engine.
        case nameEngineOfVoice
        /// Ask the service for its voices.
        case listVoices
        /// See which voices are installed.
        case listInstalled
        /// Do not name a speaker.
        case omitSpeaker
        /// Choose one of the speakers of this voice.
        case selectSpeaker(voice: String)
        /// Write a blend as voices with weights.
        case writeBlend
        /// Put each speaker after its voice in the blend.
        case putSpeakerInBlend
        /// Blend voices of one engine and one model.
        case compareEngines
        /// Choose another default voice for this engine.
        case forgetVoice(engine: String)
        /// Add the user's own voice of this id again, or remove it.
        case addVoiceAgain(String)
        /// Remove the user's own voice, and add it with all its files.
        case addWholeVoice
        /// Verify the files of the voice of this id, and download damaged files again.
        case repairVoice(String)
        /// Add the user's own voice of this id again, with a complete file of the right kind.
        case replaceOwnFile(voice: String, isShared: Bool)
        /// Do not name a precision.
        case omitPrecision
        /// Choose one of these precisions, each with its size.
        case choosePrecision([String])
        /// Choose one of the installed engines.
        case chooseEngine
        /// List the folders that are searched for engines.
        case inspectPlugins
        /// Name an engine, such as this one.
        case useExample(String)
        /// Install the engine of this id.
        case installEngine(String)
        /// Grant the engine the permissions that it needs. If another remedy might also help, it comes first.
        indirect case allowNeeds([Need], engine: String, or: Remedy?)
        /// Try again, or choose another engine. The value is the engine's log file, if there is one.
        case tryOtherEngine(log: String?)
        /// Query the engine again. The value is the engine's log file, if there is one.
        case rescan(log: String?)
        /// Choose another text, voice or setting.
        case chooseOtherRequest
        /// Check what is missing on this machine.
        case inspectInstallation
        /// Check what is missing on this machine, and the limits of this user.
        case inspectLimits
        /// Copy the file again.
        case copyAgain
        /// Free some memory, or allow programs on the file system.
        case checkMemory
        /// Install or build the engine for its current folder.
        case rebuildHere
        /// Build the engine with an absolute library path.
        case rebuildWithOrigin
        /// Change the owner of this file to root, if you trust it.
        case trustFile(String)
        /// Move the file to a folder that only you can write.
        case moveToOwnFolder
        /// Revoke the permission to write this file.
        case withdrawRights(String, Rights)
        /// Allow engines without confinement.
        case allowUnconfined
        /// Remove the file from the plugins folder.
        case removePlugin
        /// Remove the file, or replace it with one that works.
        case replacePlugin
        /// Get an engine for this version of synthhost.
        case updatePlugin(version: String)
        /// Report the problem to the author of the engine.
        case reportToAuthor
        /// Ask the engine's authors to correct its declaration.
        case reportEngine
        /// Install the library with this file name.
        case installLibrary(String)
        /// Install the library with this file name, or write a WAV file.
        case installEncoder(String)
        /// Install synthhost, or specify its folder.
        case installSynthhost
        /// Repair a file of the web page.
        case repairPage(PageRepair)
        /// Repair the token file, or choose another one.
        case repairToken(TokenRepair)
        /// Name a file that can be read, or pass the text itself.
        case chooseText
        /// Convert the text to UTF-8 from this encoding, which may be a guess.
        case convertText(from: String)
        /// Pass the whole text.
        case completeText
        /// Speak the text in several parts.
        case splitText
        /// Correct the script at this position, or read it as plain text.
        case correctScript
        /// Correct this line of the lexicon.
        case correctLexicon(String)
        /// Play the script with a queue, which has channels.
        case useChannels
        /// Try again in a moment.
        case tryLater
        /// Stop other programs, or raise a limit of this user.
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
        /// Use the extension of the requested format in the file name.
        case matchFormat(String, insteadOf: String)
        /// Choose a format that this machine can write.
        case chooseWrittenFormat
        /// Choose another format.
        case chooseOtherFormat
        /// Shorten the "title" or the "author".
        case shortenTag(String)
        /// Keep the program that reads the output running.
        case keepReaderRunning
        /// Keep the output open.
        case keepOutputOpen
        /// Answer the question with an option.
        case answerByOption
        /// Write a file instead.
        case writeFile
        /// Choose one of these sound devices.
        case chooseDevice([String])
        /// Choose another sound device.
        case chooseOtherDevice
        /// Stop the other program that uses the device.
        case freeDevice(Device)
        /// Add this user to the group "audio".
        case joinAudioGroup(Device)
        /// Start the sound server.
        case startSoundServer(Device)
        /// Use this device through ALSA's converter.
        case convertForDevice(String, Device)
        /// Connect a microphone.
        case connectMicrophone
        /// Connect the microphone again.
        case reconnectMicrophone
        /// Use another voice, whose audio has a common format.
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
        /// Choose an audio or video file; split the audio into shorter files.
        case chooseRecording, cutSound
        /// Name the clip in the configuration, or add its folder.
        case nameClip
        /// Use one channel for consecutive clips.
        case useOneChannel
        /// Include the extension in the clip's name.
        case nameEnding
        /// Choose a readable folder of clips.
        case chooseClipFolder
        /// Install a recognizer into this folder.
        case installRecognizer(folder: String)
        /// Check why no recognizer can be used.
        case inspectRecognizers
        /// Choose one of these recognizers.
        case chooseRecognizer([String])
        /// Choose a recognizer that transcribes.
        case chooseTranscriber
        /// Choose one of the models.
        case chooseModel
        /// Choose another model or recognizer.
        case chooseOtherModel
        /// Try again, or choose another recognizer. The value is the recognizer's log file, if there is one.
        case tryOtherRecognizer(log: String?)
        /// Check the configuration, or use another one.
        case chooseConfiguration
        /// Check the folder of the configuration, or use another one.
        case checkConfigurationFolder
        /// Correct this line of the configuration.
        case correctLine
        /// Write the keys of the configuration inside braces.
        case writeObject
        /// Remove this key, or correct it to the similar key.
        case removeSetting(String, near: String?)
        /// Correct the value of this key, or remove it.
        case resetSetting(String)
        /// Correct this environment variable.
        case correctVariable(String)
        /// Choose a key of the configuration, such as the similar one.
        case chooseSetting(near: String?)
        /// Name the engine in this key.
        case nameEngineInSetting(String)
        /// Name the clip in this key.
        case nameClipInSetting(String)
        /// Name the voice and the rate, pitch or volume in the key.
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
        /// Replace this link with its target, or remove it.
        case replaceLink(String)
        /// Move this file away.
        case moveAway(String)
        /// Remove this file, if nothing else needs it.
        case removeFile(String)
        /// Check the name of this file.
        case checkName(String)
        /// Replace it with a file.
        case putFileInPlace
        /// Run the same command again; the disk may be damaged.
        case runAgainOrCheckDisk
        /// Check this mirror, or do not use it.
        case checkMirror(String)
        /// Use an https address as the mirror.
        case correctMirror
        /// Update synthhost, or choose another voice.
        case update
        /// Install synthhost again.
        case reinstall
        /// Choose another voice, or report the archive to its publisher.
        case reportArchive
        /// Try again, and report the crash if it happens again.
        case reportCrash
        /// Unpack the archive, and add the folder.
        case unpackFirst
        /// Choose another id.
        case chooseOtherID
        /// Put the missing file next to the others.
        case putFileBeside
        /// Name one of the files.
        case nameOneFile
        /// Name the language of the voice.
        case nameLanguage
        /// Name the model and a file for each voice.
        case nameVoiceFiles
        /// Do not give a name or an id.
        case omitNames
        /// Rename one of the files.
        case renameFile
        /// Give the voice a name.
        case nameVoice
        /// Name one of the engines.
        case nameEngine
        /// Do not name an engine, or name another one.
        case chooseOtherEngine
        /// Name the engine of the files.
        case nameEngineOfFiles
        /// Rename a file so that it matches this role, and add the files.
        case renameAndAdd(String, to: String, role: String, Addition)
        /// Put these files in place, and add all files.
        case completeAndAdd([String], Addition)
        /// Unpack the archive, add the files for these roles, and add the folder.
        case unpackAndComplete([String])
        /// Add these files together. If one is missing, get it first; its source is given if known.
        case addTogether(Addition, with: String?, from: String?)
        /// Add the files of one model at a time.
        case addOne(of: [Addition])
        /// Add the voices as English voices.
        case addAsEnglish(Addition)
        /// Also name the voice files, or download this voice.
        case addVoicesOrDownload(String, precision: String?)
        /// Name one file for each role.
        case nameFiles
        /// Replace the files with complete ones of the right kind.
        case replaceFiles
        /// Get other files for the voice. The value is the engine's log file, if there is one.
        case replaceVoiceFiles(log: String?)
        /// Use a copy without digital rights management.
        case useUnprotectedCopy
        /// Convert the document to a supported format.
        case convertDocument
        /// Run this command, which makes the document or the recording readable.
        case prepareDocument(String)
        /// Use a copy without a password.
        case removePassword
        /// Download the document again, or save it again.
        case replaceDocument
        /// Speak the chapters of the document one by one.
        case splitDocument
        /// Remove the part of the document that is too complex.
        case simplifyDocument
        /// Use a document that contains text.
        case useTextDocument
        /// Check what is missing on this machine, or report the document.
        case reportDocument
        /// Choose a writable folder.
        case chooseBookFolder
        /// Wait for the other process, or stop it.
        case waitForBook
        /// Move the file away, or choose another folder.
        case moveFileAway
        /// Wait until the other processes have finished their parts.
        case finishShares
        /// Let the command write the cast file.
        case writeCast
        /// Write each line of the list as a JSON object.
        case writeList
        /// List the chapters of the book.
        case showChapters
        /// Choose a format that needs no ffmpeg.
        case chooseOtherBookFormat
        /// Name these authors again, if it is the same book.
        case repeatAuthor([String])
        /// Choose another folder.
        case chooseOtherBookFolder
    }
}
