extension SpeechError {
    /// The action that the user can take after an error, as data that each program can put into words or carry out.
    @nonexhaustive public enum Remedy: Hashable, Sendable {
        /// Download the voice with this name.
        case downloadVoice(String)
        /// Download the recognizer model with this ID.
        case downloadModel(String)
        /// Resume the download of the voice or model with this ID.
        case resumeDownload(String, after: Obstacle)
        /// Choose a different voice.
        case chooseVoice
        /// Choose a voice that the engine supports.
        case chooseOtherVoice
        /// Choose one of the candidates, for example the voice with this name.
        case chooseVoiceNamed(String)
        /// Choose one of these voices.
        case chooseVoiceOf([String])
        /// Specify the voice's engine as well.
        case nameEngineOfVoice
        /// Request the list of voices from the service.
        case listVoices
        /// List the installed voices.
        case listInstalled
        /// Do not specify a speaker.
        case omitSpeaker
        /// Choose one of this voice's speakers.
        case selectSpeaker(voice: String)
        /// Write the blend as voices with weights.
        case writeBlend
        /// Write each speaker directly after its voice in the blend.
        case putSpeakerInBlend
        /// Blend voices that share one engine and one model.
        case compareEngines
        /// Remove this engine's default voice from the configuration, or choose a different one.
        case forgetVoice(engine: String)
        /// Add the user's own voice with this ID again, or remove it.
        case addVoiceAgain(String)
        /// Remove the user's own voice, then add it again with all its files.
        case addWholeVoice
        /// Verify the files of the voice with this ID, and download damaged files again.
        case repairVoice(String)
        /// Add the user's own voice with this ID again, with a complete file of the correct type.
        case replaceOwnFile(voice: String, isShared: Bool)
        /// Do not specify a precision.
        case omitPrecision
        /// Choose one of these precisions; each includes its size.
        case choosePrecision([String])
        /// Choose one of the installed engines.
        case chooseEngine
        /// List the folders that are searched for engines.
        case inspectPlugins
        /// Specify an engine, such as the example engine with this ID.
        case useExample(String)
        /// Install the engine with this ID.
        case installEngine(String)
        /// Grant the engine the permissions that it needs. If `or` is set, suggest that remedy first.
        indirect case allowNeeds([Need], engine: String, or: Remedy?)
        /// Try again, or choose a different engine. The value is the engine's log file, if there is one.
        case tryOtherEngine(log: String?)
        /// Query the engine again. The value is the engine's log file, if there is one.
        case rescan(log: String?)
        /// Change the text, or choose a different voice or setting.
        case chooseOtherRequest
        /// Check for missing components on this machine.
        case inspectInstallation
        /// Check for missing components on this machine and check this user's limits.
        case inspectLimits
        /// Copy the file again.
        case copyAgain
        /// Free some memory, or mount the file system without `noexec`.
        case checkMemory
        /// Install the engine with its installer, or build it so that it works in its current folder.
        case rebuildHere
        /// Build the engine with a library path that does not depend on the working directory.
        case rebuildWithOrigin
        /// If you trust this file, change its owner to root.
        case trustFile(String)
        /// Move the file to a folder that only you can write to.
        case moveToOwnFolder
        /// Revoke these users' write permission for the file.
        case withdrawRights(String, Rights)
        /// Allow engines to run without confinement.
        case allowUnconfined
        /// Remove the file from the plugins folder.
        case removePlugin
        /// Remove the file, or replace it with a working file.
        case replacePlugin
        /// Get a build of the engine for this version of synthhost.
        case updatePlugin(version: String)
        /// Report the problem to the engine's author.
        case reportToAuthor
        /// Ask the engine's authors to correct its declaration.
        case reportEngine
        /// Install this shared library.
        case installLibrary(String)
        /// Install this shared library, or write a WAV file.
        case installEncoder(String)
        /// Install synthhost, or specify the folder that contains it.
        case installSynthhost
        /// Repair a file of the web page.
        case repairPage(PageRepair)
        /// Repair the token file, or choose a different token file.
        case repairToken(TokenRepair)
        /// Specify a readable file, or pass the text itself.
        case chooseText
        /// Convert the text to UTF-8 from this encoding, which may be a guess.
        case convertText(from: String)
        /// Pass the complete text.
        case completeText
        /// Speak the text in several parts.
        case splitText
        /// Correct the script at this position, or read it as plain text.
        case correctScript
        /// Correct this line of the lexicon.
        case correctLexicon(String)
        /// Play the script with a queue, which supports channels.
        case useChannels
        /// Try again in a moment.
        case tryLater
        /// Stop other programs, or raise one of this user's limits.
        case raiseLimit(Limit)
        /// Create this folder.
        case createFolder(String, for: Output)
        /// Choose a different file.
        case chooseFile(for: Output)
        /// Choose a file in this folder.
        case chooseFileInFolder(String)
        /// Choose a different file, or overwrite this file.
        case overwriteFile(String)
        /// Free some space on the disk.
        case freeSpace(for: Output)
        /// Choose one of these formats.
        case chooseFormat([String])
        /// Choose one of these timings formats.
        case chooseTimingsFormat([String])
        /// Give the file name the extension of the requested format.
        case matchFormat(String, insteadOf: String)
        /// Choose a format that this machine can write.
        case chooseWrittenFormat
        /// Choose a different format.
        case chooseOtherFormat
        /// Shorten the "title" or "author" tag.
        case shortenTag(String)
        /// Do not stop the program that reads the output.
        case keepReaderRunning
        /// Do not close the output.
        case keepOutputOpen
        /// Answer the question with a command-line option.
        case answerByOption
        /// Write a file instead.
        case writeFile
        /// Choose one of these sound devices.
        case chooseDevice([String])
        /// Choose a different sound device.
        case chooseOtherDevice
        /// Stop the other program that uses the device.
        case freeDevice(Device)
        /// Add this user to the "audio" group.
        case joinAudioGroup(Device)
        /// Start the sound server.
        case startSoundServer(Device)
        /// Use this device through ALSA's format converter.
        case convertForDevice(String, Device)
        /// Connect a microphone.
        case connectMicrophone
        /// Connect the microphone again.
        case reconnectMicrophone
        /// Use a voice whose audio has a common format.
        case useCommonFormat
        /// Choose a rate and a pitch within these ranges.
        case chooseSpeed(rates: ClosedRange<Double>, pitches: ClosedRange<Double>)
        /// Leave the rate and pitch unchanged, or use a different voice.
        case keepRateAndPitch
        /// Leave the loudness unchanged.
        case turnLoudnessOff
        /// Check the file's path and permissions.
        case checkFile
        /// Convert this file to WAV.
        case convertSound(String)
        /// Obtain the file again, or record it again.
        case replaceSound
        /// Choose an audio or video file (`chooseRecording`), or split the audio into shorter files (`cutSound`).
        case chooseRecording, cutSound
        /// Define the clip in the configuration, or add its folder.
        case nameClip
        /// Use one channel for consecutive clips.
        case useOneChannel
        /// Include the file extension in the clip's name.
        case nameEnding
        /// Choose a readable folder of clips.
        case chooseClipFolder
        /// Install a recognizer in this folder.
        case installRecognizer(folder: String)
        /// Find out why no recognizer is usable.
        case inspectRecognizers
        /// Choose one of these recognizers.
        case chooseRecognizer([String])
        /// Choose a recognizer that supports transcription.
        case chooseTranscriber
        /// Choose one of the models.
        case chooseModel
        /// Choose a different model or recognizer.
        case chooseOtherModel
        /// Try again, or choose a different recognizer. The value is the recognizer's log file, if there is one.
        case tryOtherRecognizer(log: String?)
        /// Check the configuration, or use a different configuration.
        case chooseConfiguration
        /// Check the configuration's folder, or use a different configuration.
        case checkConfigurationFolder
        /// Correct this line of the configuration.
        case correctLine
        /// Enclose the configuration's keys in braces.
        case writeObject
        /// Remove this key, or replace it with the similar key `near`.
        case removeSetting(String, near: String?)
        /// Correct the value of this key, or remove it.
        case resetSetting(String)
        /// Correct this environment variable.
        case correctVariable(String)
        /// Choose a valid configuration key, such as the similar key `near`.
        case chooseSetting(near: String?)
        /// Specify the engine in this key.
        case nameEngineInSetting(String)
        /// Specify the clip in this key.
        case nameClipInSetting(String)
        /// Include the voice, and the rate, pitch or volume, in the key.
        case nameFactorInSetting
        /// Set the key with this name to a valid value.
        case changeSetting(String)
        /// Check the registry's permissions, or reinstall synthhost.
        case checkRegistry
        /// Correct the registry, or move it elsewhere.
        case correctRegistry
        /// Run the same command again to resume the work.
        case runAgain
        /// Run the same command again.
        case repeatCommand
        /// Wait for the other process, then run the same command again.
        case waitForProcess
        /// Check this file's permissions.
        case checkPermissions(String)
        /// Replace this link with its target, or remove it.
        case replaceLink(String)
        /// Move this file elsewhere.
        case moveAway(String)
        /// Remove this file, if nothing else needs it.
        case removeFile(String)
        /// Check this file's name.
        case checkName(String)
        /// Replace the folder or special file with a regular file.
        case putFileInPlace
        /// Run the same command again. If the error recurs, the disk may be damaged.
        case runAgainOrCheckDisk
        /// Check this mirror, or do not use it.
        case checkMirror(String)
        /// Use an HTTPS URL as the mirror.
        case correctMirror
        /// Update synthhost, or choose a different voice.
        case update
        /// Reinstall synthhost.
        case reinstall
        /// Choose a different voice, or report the archive to its publisher.
        case reportArchive
        /// Try again, and report the crash if it happens again.
        case reportCrash
        /// Unpack the archive, then add the folder.
        case unpackFirst
        /// Choose a different ID.
        case chooseOtherID
        /// Put the missing file in the same folder as the other files.
        case putFileBeside
        /// Specify only one of the files.
        case nameOneFile
        /// Specify the voice's language.
        case nameLanguage
        /// Specify the model, and a file for each voice.
        case nameVoiceFiles
        /// Do not specify a name or an ID.
        case omitNames
        /// Rename one of the files.
        case renameFile
        /// Give the voice a name.
        case nameVoice
        /// Specify one of the engines.
        case nameEngine
        /// Do not specify an engine, or specify a different engine.
        case chooseOtherEngine
        /// Specify the engine that the files are for.
        case nameEngineOfFiles
        /// Rename a file to match this role, then add the files.
        case renameAndAdd(String, to: String, role: String, Addition)
        /// Add the missing files to the folder, then add all the files together.
        case completeAndAdd([String], Addition)
        /// Unpack the archive, complete it with files for these roles, then add the folder.
        case unpackAndComplete([String])
        /// Add these files together. If `with` is set, obtain that missing file first, from the source `from` if that
        /// is known.
        case addTogether(Addition, with: String?, from: String?)
        /// Add the files of one model at a time.
        case addOne(of: [Addition])
        /// Add the voices as English voices.
        case addAsEnglish(Addition)
        /// Specify the voice files as well, or download this voice.
        case addVoicesOrDownload(String, precision: String?)
        /// Specify one file for each role.
        case nameFiles
        /// Replace the files with complete files of the correct type.
        case replaceFiles
        /// Obtain different files for the voice. The value is the engine's log file, if there is one.
        case replaceVoiceFiles(log: String?)
        /// Use a copy without digital rights management.
        case useUnprotectedCopy
        /// Convert the document to a supported format.
        case convertDocument
        /// Run this command, which converts the document or recording to a readable form.
        case prepareDocument(String)
        /// Use a copy without a password.
        case removePassword
        /// Download the document again, or save it again.
        case replaceDocument
        /// Speak the document's chapters one at a time.
        case splitDocument
        /// Remove the part of the document that is too complex.
        case simplifyDocument
        /// Use a document that contains text.
        case useTextDocument
        /// Check for missing components on this machine, or report the document.
        case reportDocument
        /// Choose a writable folder.
        case chooseBookFolder
        /// Wait for the other process, or stop it.
        case waitForBook
        /// Move the file elsewhere, or choose a different folder.
        case moveFileAway
        /// Wait for the other processes to finish their parts.
        case finishShares
        /// Let the command write the cast file.
        case writeCast
        /// Write each line of the list as a JSON object.
        case writeList
        /// List the chapters of the book.
        case showChapters
        /// Choose a format that does not need ffmpeg.
        case chooseOtherBookFormat
        /// If this is the same book, specify these authors again.
        case repeatAuthor([String])
        /// Choose a different folder.
        case chooseOtherBookFolder
    }
}
