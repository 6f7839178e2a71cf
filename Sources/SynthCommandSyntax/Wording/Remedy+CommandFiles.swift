package import SynthSystem

extension SpeechError.Remedy {
    // Settings.
    func ofSettings() -> String? {
        switch self {
        case .chooseConfiguration: "Check the file, or name another with --config FILE."
        case .checkConfigurationFolder: "Check the folder and its owner, or name another file with --config FILE."
        case .correctLine: "Correct that line, or move the file away to start with the defaults."
        case .writeObject: "Write the keys between braces, as in { \"rate\": 1.25 }."
        case .removeSetting(let key, let near):
            Self.suggestion(near) + "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))`."
        case .resetSetting(let key):
            "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))` to return to the default."
        case .correctVariable(let name): "Correct the variable, or type: unset \(name)"
        case .chooseSetting(let near): Self.suggestion(near) + "`synthhost config show` lists the keys."
        case .nameEngineInSetting(let key): "Name the engine: `synthhost config set \(key).ENGINE VALUE`."
        case .nameClipInSetting(let key): "Name the clip: `synthhost config set \(key).NAME FILE`."
        case .nameFactorInSetting:
            "Name the voice and one of the three: `synthhost config set profiles.VOICE.rate VALUE`."
        case .changeSetting(let key): "Type `synthhost config set \(ShellWord.quoted(key)) VALUE` with such a value."
        case .checkRegistry: "Look at its permissions, or install synthhost again."
        case .correctRegistry: "Correct the file, or move it away to go on without it."
        default: nil
        }
    }

    // Files.
    func ofFiles() -> String? {
        switch self {
        case .runAgain: "Run the same command to go on."
        case .repeatCommand: "Run the same command again."
        case .waitForProcess: "Wait for it, then run the same command."
        case .checkPermissions(let path): "Look at its permissions: ls -ld \(ShellWord.quoted(path))"
        case .replaceLink(let path):
            "Put what it points to in its place, or remove the link: rm \(ShellWord.quoted(path))"
        case .moveAway(let path): "Move it away: mv \(ShellWord.quoted(path)) ~"
        case .removeFile(let path): "Remove it yourself, if nothing else needs it: rm \(ShellWord.quoted(path))"
        case .checkName(let path): "Look at its name: ls \(ShellWord.quoted(path))"
        case .putFileInPlace: "Put a file in its place, or move it away."
        case .runAgainOrCheckDisk: "Run the same command; if it stays, look at dmesg."
        case .checkMirror(let mirror): "Look at the mirror \(mirror), or unset SYNTHHOST_MIRROR to do without it."
        case .correctMirror: "Set SYNTHHOST_MIRROR to an https address, or unset it."
        case .update: "Update synthhost, or choose another voice: synthhost voices --all"
        case .reinstall: "Install synthhost again; its program synthhost-fetch is damaged."
        case .reportArchive: "Choose another voice, or report this to its publisher."
        case .reportCrash: "Try again. If it stays, please report this message with what synthhost doctor says."
        case .unpackFirst: "Unpack it, and add the folder."
        case .chooseOtherID: "Choose another id: --id NAME"
        case .putFileBeside: "Put it beside the others, then run the same command."
        case .nameOneFile: "Name the one that is meant."
        default: nil
        }
    }

    // The user's own files.
    func ofTheUsersOwnFiles() -> String? {
        switch self {
        case .nameLanguage: "Say it, for example: --language en-GB"
        case .nameVoiceFiles:
            "Name the model and a file for each voice, as in: synthhost models add model.onnx nell.bin tom.bin"
        case .omitNames: "Leave them out: each voice is called like its file."
        case .renameFile: "Rename one of them."
        case .nameVoice: "Say it with --name NAME."
        case .nameEngine: "Name one with --engine."
        case .chooseOtherEngine: "Leave --engine out, or name another one; `synthhost engines list` shows them."
        case .nameEngineOfFiles: "Name the engine with --engine; `synthhost engines list` shows them."
        case .renameAndAdd(let path, let other, let role, let next):
            "If \(path) is its \(role), type: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(other)) && \(next.command)"
        case .completeAndAdd(let missing, let next): "Put the \(Wording.all(missing)), then type: \(next.command)"
        case .unpackAndComplete(let roles):
            "Unpack it, put the missing files (\(Wording.all(roles))) beside the others, and add the folder."
        case .addTogether(let next, let file, let from):
            (file.map { "Get \($0) from \(from ?? ""). Then type: " } ?? "Type: ") + next.command
        case .addOne(let choices): "Type one of: \(choices.map(\.command).joined(separator: "; "))"
        case .addAsEnglish(let next): "To add them as voices of English, type: \(next.command) --language en-US"
        case .addVoicesOrDownload(let voice, let precision):
            "Name files of voices after it, or type: synthhost models pull \(ShellWord.quoted(voice))"
                + (precision.map { " --precision \($0)" } ?? "")
        case .nameFiles: "Name the files that are meant, one for each role, instead of their folder."
        case .replaceFiles: "Put whole files of the right kind in their place, then run the same command."
        case .replaceVoiceFiles(let log):
            "Get other files of it, or tell the engine's author." + (log.map { " Its log: \($0)" } ?? "")
        default: nil
        }
    }

    // Documents and books.
    func ofDocumentsAndBooks() -> String? {
        switch self {
        case .useUnprotectedCopy: "Use a copy without digital rights management."
        case .convertDocument: "Convert it to one of these formats first."
        case .prepareDocument(let command): "Type: \(command)"
        case .removePassword: "Save a copy without a password, and read that."
        case .replaceDocument: "Download it again, or open it in another program and save it anew."
        case .splitDocument: "Take its chapters out and speak them one by one."
        case .simplifyDocument: "No program that writes books does that; remove that part, or use another copy."
        case .useTextDocument:
            "A book of scanned pages has pictures only, and a page may be too deeply nested to be read."
        case .reportDocument:
            "`synthhost doctor` shows what is missing; please report the document if that does not help."
        case .chooseBookFolder:
            "Choose a folder that you can write to, with room for the sound; the same command then goes on."
        case .waitForBook: "Wait for it, or stop it: what it has made is kept."
        case .moveFileAway: "Move it away, or name another folder with -o."
        case .finishShares:
            "Let every share end, and give --join the same voice and settings as --shard had. Without --join, the rest is spoken here."
        case .writeCast: "`synthhost book` with --cast writes one from the book, for you to give the voices."
        case .writeList:
            "Each line is an object of JSON, as in: {\"id\": \"0001\", \"text\": \"Hello\", \"voice\": \"Heart\"}"
        case .showChapters: "`synthhost book` with the file alone shows its chapters."
        case .chooseOtherBookFormat: "All that was spoken is kept. A name that ends in .opus or .mp3 needs no ffmpeg."
        case .repeatAuthor(let authors):
            "If it is the same book, repeat the author that its files name: --author \(ShellWord.quoted(authors.joined(separator: ", "))). Otherwise choose another folder, with another -o."
        case .chooseOtherBookFolder: "Choose another folder, with another -o."
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
