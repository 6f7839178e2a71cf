package import SynthSystem

extension SpeechError.Remedy {
    func ofSettings() -> String? {
        switch self {
        case .chooseConfiguration: "Check the file, or pass a different one with --config FILE."
        case .checkConfigurationFolder: "Check the folder and its owner, or pass a different file with --config FILE."
        case .correctLine: "Correct that line, or move the file out of the way to start with the defaults."
        case .writeObject: "Write the keys between braces, as in { \"rate\": 1.25 }."
        case .removeSetting(let key, let near):
            Self.suggestion(near) + "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))`."
        case .resetSetting(let key):
            "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))` to return to the default."
        case .correctVariable(let name): "Correct the variable, or type: unset \(name)"
        case .chooseSetting(let near): Self.suggestion(near) + "`synthhost config show` lists the keys."
        case .nameEngineInSetting(let key): "Include the engine: `synthhost config set \(key).ENGINE VALUE`."
        case .nameClipInSetting(let key): "Include the clip: `synthhost config set \(key).NAME FILE`."
        case .nameFactorInSetting:
            "Include the voice and the setting: `synthhost config set profiles.VOICE.rate VALUE`."
        case .changeSetting(let key): "Type `synthhost config set \(ShellWord.quoted(key)) VALUE` with a valid value."
        case .checkRegistry: "Check the permissions of the file, or reinstall synthhost."
        case .correctRegistry: "Correct the file, or move it out of the way to continue without it."
        default: nil
        }
    }

    func ofFiles() -> String? {
        switch self {
        case .runAgain: "Run the same command again to continue."
        case .repeatCommand: "Run the same command again."
        case .waitForProcess: "Wait until that process has finished, then run the same command again."
        case .checkPermissions(let path): "Check the permissions: ls -ld \(ShellWord.quoted(path))"
        case .replaceLink(let path):
            "Restore the target of the link, or remove the link: rm \(ShellWord.quoted(path))"
        case .moveAway(let path): "Move it out of the way: mv \(ShellWord.quoted(path)) ~"
        case .removeFile(let path): "If nothing else needs the file, remove it yourself: rm \(ShellWord.quoted(path))"
        case .checkName(let path): "Check the name: ls \(ShellWord.quoted(path))"
        case .putFileInPlace: "Replace it with a regular file, or move it out of the way."
        case .runAgainOrCheckDisk: "Run the same command again. If it fails again, check the output of dmesg."
        case .checkMirror(let mirror): "Check the mirror \(mirror), or unset SYNTHHOST_MIRROR to download without it."
        case .correctMirror: "Set SYNTHHOST_MIRROR to an HTTPS URL, or unset it."
        case .update: "Update synthhost, or choose a different voice: synthhost voices --all"
        case .reinstall: "Reinstall synthhost: its synthhost-fetch program is damaged."
        case .reportArchive: "Choose a different voice, or report this to the voice's publisher."
        case .reportCrash:
            "Try again. If this happens again, please report this message with the output of `synthhost doctor`."
        case .unpackFirst: "Unpack the archive and add the folder."
        case .chooseOtherID: "Choose a different ID: --id NAME"
        case .putFileBeside: "Put the missing file next to the others, then run the same command again."
        case .nameOneFile: "Pass only one of the files."
        default: nil
        }
    }

    func ofTheUsersOwnFiles() -> String? {
        switch self {
        case .nameLanguage: "Pass the language, for example: --language en-GB"
        case .nameVoiceFiles:
            "Pass the model and a file for each voice, as in: synthhost models add model.onnx nell.bin tom.bin"
        case .omitNames: "Omit the names, so that each voice gets the name of its file."
        case .renameFile: "Rename one of the files."
        case .nameVoice: "Pass a name with --name NAME."
        case .nameEngine: "Choose an engine with --engine."
        case .chooseOtherEngine: "Omit --engine, or choose a different one; `synthhost engines list` shows the engines."
        case .nameEngineOfFiles: "Choose the engine with --engine; `synthhost engines list` shows the engines."
        case .renameAndAdd(let path, let other, let role, let next):
            "If \(path) is the \(role), type: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(other)) "
                + "&& \(next.command)"
        case .completeAndAdd(let missing, let next): "Put the \(Wording.all(missing)), then type: \(next.command)"
        case .unpackAndComplete(let roles):
            "Unpack the archive, put the missing files (\(Wording.all(roles))) next to the others and add the folder."
        case .addTogether(let next, let file, let from):
            (file.map { "Get \($0) from \(from ?? ""). Then type: " } ?? "Type: ") + next.command
        case .addOne(let choices): "Type one of these commands: \(choices.map(\.command).joined(separator: "; "))"
        case .addAsEnglish(let next): "To add the voices as English voices, type: \(next.command) --language en-US"
        case .addVoicesOrDownload(let voice, let precision):
            "Pass voice files after the model, or type: synthhost models pull \(ShellWord.quoted(voice))"
                + (precision.map { " --precision \($0)" } ?? "")
        case .nameFiles: "Instead of the folder, pass the files, one for each role."
        case .replaceFiles: "Replace the files with complete ones of the correct type, then run the same command again."
        case .replaceVoiceFiles(let log):
            "Replace this voice's files with a different copy, or report the problem to the engine's author."
                + (log.map { " The engine's log: \($0)" } ?? "")
        default: nil
        }
    }

    func ofDocumentsAndBooks() -> String? {
        switch self {
        case .useUnprotectedCopy: "Use a copy without digital rights management."
        case .convertDocument: "Convert the document to one of these formats first."
        case .prepareDocument(let command): "Type: \(command)"
        case .removePassword: "Save a copy without a password, and use that copy."
        case .replaceDocument: "Download the document again, or open it in another program and save it again."
        case .splitDocument: "Split the document into chapters and speak them one at a time."
        case .simplifyDocument: "Remove that part of the document, or use a different copy."
        case .useTextDocument:
            "Use a copy that contains text: scanned pages contain only images, and deeply nested elements are not read."
        case .reportDocument:
            "`synthhost doctor` shows what is missing. If nothing is missing, please report the problem and "
                + "attach the document."
        case .chooseBookFolder:
            "Choose a writable folder with enough space for the audio, then run the same command again to continue."
        case .waitForBook: "Wait for that process to finish, or stop it: the parts that it has finished are kept."
        case .moveFileAway: "Move the file out of the way, or choose a different folder with -o."
        case .finishShares:
            "Wait until all shards are complete, then pass --join with the same voice and settings as with --shard. Without --join, this "
                + "command speaks the remaining parts."
        case .writeCast:
            "Create a cast from the book with `synthhost book FILE --cast CAST.json`, then assign the voices in "
                + "CAST.json."
        case .writeList:
            "Each line must be a JSON object, such as: {\"id\": \"0001\", \"text\": \"Hello\", \"voice\": \"Heart\"}"
        case .showChapters: "`synthhost book FILE` lists the chapters of FILE."
        case .chooseOtherBookFormat:
            "The finished speech is kept. Choose a file that ends in .opus or .mp3; these formats do not need ffmpeg."
        case .repeatAuthor(let authors):
            "If it is the same book, pass the author recorded in its files: --author \(ShellWord.quoted(authors.joined(separator: ", "))). "
                + "Otherwise, choose a different folder with -o."
        case .chooseOtherBookFolder: "Choose a different folder with -o."
        default: nil
        }
    }
}

extension SpeechError.Remedy {
    fileprivate static func suggestion(_ near: String?) -> String { near.map { "Did you mean \"\($0)\"? " } ?? "" }
}

extension SpeechError.Remedy.Addition {
    /// The command that adds the files.
    package var command: String {
        var line = ["synthhost", "models", "add"] + paths
        if let language { line += ["--language", language] }
        if let engine { line += ["--engine", engine] }
        return line.map(ShellWord.quoted).joined(separator: " ")
    }
}
