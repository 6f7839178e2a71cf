package import SynthSystem

/// Remedies worded for the command line, with the command to type.
extension SpeechError.Remedy {
    /// The remedy in one or two sentences.
    package var command: String { command(pull: nil) }

    /// - Parameter pull: the command that resumes a download, or nil for the command that downloads only this voice.
    package func command(pull: String?) -> String {
        ofVoices(pull) ?? ofEngines(pull) ?? ofTheText() ?? ofOutput() ?? ofClipsAndRecordings() ?? ofRecognizers()
            ?? ofSettings() ?? ofFiles() ?? ofTheUsersOwnFiles() ?? ofDocumentsAndBooks() ?? ""
    }

    private func q(_ word: String) -> String { ShellWord.quoted(word) }
}

extension SpeechError.Remedy {
    func ofVoices(_ pull: String?) -> String? {
        switch self {
        case .downloadVoice(let voice): "Type: \(pull ?? "synthhost models pull \(q(voice))")"
        case .downloadModel(let model): "To download the model, type: synthhost models pull \(q(model))"
        case .resumeDownload(let voice, let obstacle):
            obstacle.command + (pull ?? "synthhost models pull \(voice)") + obstacle.afterword
        case .chooseVoice: "`synthhost voices` lists the voices."
        case .chooseOtherVoice: "Choose a different voice; `synthhost voices --all` lists all voices."
        case .chooseVoiceNamed(let name): "Use one of these names instead, such as \(q(name))."
        case .chooseVoiceOf(let names): "Use \(Wording.either(names.map(ShellWord.quoted))) instead."
        case .nameEngineOfVoice:
            "Specify the engine with -e as well; `synthhost voices --ids` lists each voice's engine."
        case .listVoices: "GET /api/voices lists all voices."
        case .listInstalled: "`synthhost models list` shows the installed voices."
        case .omitSpeaker: "Omit --speaker."
        case .selectSpeaker(let voice):
            "Choose a speaker with --speaker; `synthhost voices \(q(voice))` lists the speakers."
        case .writeBlend: "For example: -v \"Heart*0.7+Emma*0.3\""
        case .putSpeakerInBlend: "Put the speaker after its voice, as in -v \"VOICE+SPEAKER*0.5+OTHER*0.5\"."
        case .compareEngines: "`synthhost voices` shows each voice's engine."
        case .forgetVoice(let engine):
            "`synthhost config unset voices.\(engine)` removes this setting; `synthhost voices --engine \(engine)` lists other voices."
        case .addVoiceAgain(let id):
            "You added this voice yourself. Add it again with `synthhost models add PATH --id \(id)`, or remove it "
                + "with: synthhost models remove \(id)"
        case .addWholeVoice: "Remove the voice with `synthhost models remove`, then add it again with all of its files."
        case .repairVoice(let voice):
            "To check the voice and download damaged files again, type: synthhost models verify \(q(voice)) --repair"
        case .replaceOwnFile(let voice, _):
            "Get a complete file of the correct type, and add it again with: synthhost models add PATH --id \(q(voice))"
        case .omitPrecision: "Omit --precision."
        case .choosePrecision(let known): "Choose one of these: \(known.joined(separator: ", "))."
        default: nil
        }
    }

    func ofEngines(_ pull: String?) -> String? {
        switch self {
        case .chooseEngine: "`synthhost engines list` shows the engines and their problems."
        case .inspectPlugins: "`synthhost doctor` shows the plugins folders."
        case .useExample(let engine):
            "`synthhost engines list` shows what is missing; to use the example engine, add: -e \(engine)"
        case .installEngine(let engine):
            "Put \(engine).so in a plugins folder (`synthhost engines list` shows the folders), or choose a different voice: synthhost voices"
        case .allowNeeds(let needs, let engine, let other):
            (other.map { $0.command(pull: pull) + " " } ?? "") + needs.command(engine)
        case .tryOtherEngine(let log):
            "Try again, choose a different engine with `-e`, or report this to the engine's author."
                + (log.map { " The engine's log: \($0)" } ?? "")
        case .rescan(let log):
            (log.map { "The engine's log is \($0). " } ?? "")
                + "To try the engine again, type: synthhost engines list --rescan"
        case .chooseOtherRequest: "Choose a different text, voice or setting; `synthhost voices` lists the voices."
        case .inspectInstallation: "`synthhost doctor` shows what is missing."
        case .inspectLimits: "`synthhost doctor` shows what is missing; `ulimit -a` shows the limits."
        case .copyAgain: "Copy the file to this machine again."
        case .checkMemory:
            "Memory may be low (`ulimit -v` shows the limit), or the file system may be mounted with noexec."
        case .rebuildHere:
            "The file was built for installation in a different folder. Install it with Scripts/install, or build it "
                + "with -rpath '$ORIGIN'."
        case .rebuildWithOrigin: "The author can build the file with -rpath '$ORIGIN' or an absolute path."
        case .trustFile(let path): "If you trust the file or folder, type: sudo chown root \(q(path))"
        case .moveToOwnFolder: "Move the file to a folder that only you can write to."
        case .withdrawRights(let path, let rights): rights.command + q(path)
        case .allowUnconfined:
            "`synthhost doctor` shows what this system lacks; `synthhost config set limits.confinement usual` runs "
                + "engines anyway."
        case .removePlugin: "Remove the file from the plugins folder."
        case .replacePlugin: "Remove the file, or replace it with a working one."
        case .updatePlugin(let version): "Get a version that was built for synthhost \(version)."
        case .reportToAuthor: "Report this to the plugin's author."
        case .reportEngine: "Report this to the engine's author."
        case .installLibrary(let name): MissingLibrary(name: name).remedy
        case .installEncoder(let name): "\(MissingLibrary(name: name).remedy); without the library, use `-o file.wav`."
        case .repairPage(let repair): repair.command
        case .repairToken(let repair): repair.command
        case .installSynthhost:
            "Install synthhost, for example with `Scripts/install ~/.local` in its checkout, or set SYNTHHOST_PREFIX to its folder."
        default: nil
        }
    }

    func ofTheText() -> String? {
        switch self {
        case .chooseText: "Pass a text file with -f, or the text itself."
        case .convertText(let encoding):
            (encoding == "latin1" ? "If the text is Latin-1, convert it first" : "Convert the text first")
                + ": iconv -f \(encoding) -t utf-8 FILE | synthhost speak"
        case .completeText:
            "Pass the complete text, or remove the incomplete character at its end: iconv -c -t utf-8 FILE | synthhost speak"
        case .splitText: "Split the text and speak the parts one at a time."
        case .correctScript: "Correct the text at that position, or omit the option that sets the script format."
        case .correctLexicon(let path): "Correct that line of \(Wording.quoted(path)), or remove it."
        case .useChannels: "Use `synthhost play FILE`, which supports channels, or remove the channel."
        case .tryLater: "Send the text again in a moment, or in shorter parts."
        case .raiseLimit(.threads):
            "Close other programs, or raise the limit with `ulimit -u`, then run the command again."
        case .raiseLimit(.descriptors): "Close other programs, or raise the limit with `ulimit -n 1024`."
        default: nil
        }
    }
}

extension [SpeechError.Remedy.Need] {
    /// Names the permissions that the failed engine lacked, and the command that grants them.
    fileprivate func command(_ engine: String) -> String {
        let variables = compactMap(\.variable)
        let needs = filter { $0.variable == nil }.map { "It requests \($0.what): \"\($0.reason)\"" }
        let words =
            switch variables.count {
            case 0: needs
            case 1: needs + ["It requests the variable \(variables[0]), which is set but not allowed."]
            default:
                needs + [
                    "It requests the variables \(variables.joined(separator: ", ")), which are set but not allowed."
                ]
            }
        let command = (["synthhost engines allow", ShellWord.quoted(engine)] + map { ShellWord.quoted($0.word) })
            .joined(separator: " ")
        return words.joined(separator: " ") + " To allow \(count == 1 ? "it" : "them"), type: \(command)"
    }
}

extension SpeechError.Remedy.Obstacle {
    /// The first step, followed by the words that introduce the command to type.
    fileprivate var command: String {
        switch self {
        case .network: "Wait a moment or check the connection, then resume the download. Run: "
        case .offline: "Allow network access (unset SYNTHHOST_OFFLINE and omit --offline). Run: "
        case .fullDisk: "Free some space with `synthhost models prune`, then resume the download. Run: "
        case .permissions(let folder): "Check the permissions of \(folder), then resume the download. Run: "
        case .fileLimit: "Raise the limit with `ulimit -f unlimited`, then resume the download. Run: "
        case .crash: "Try again with `"
        case .change: "Run: "
        }
    }

    fileprivate var afterword: String {
        self == .crash
            ? "`. If this happens again, please report this message with the output of `synthhost doctor`." : ""
    }
}

extension SpeechError.Remedy.Rights {
    fileprivate var command: String {
        switch self {
        case .everybody: "Type: chmod o-w "
        case .group: "Type: chmod g-w "
        case .accessList: "Type: setfacl -b "
        }
    }
}

extension ErrorCause {
    /// The remedy worded for the command line, or an empty string if there is none.
    package var nextStep: String { remedy?.command ?? "" }
}

extension SpeechError.Remedy.PageRepair {
    fileprivate var command: String {
        switch self {
        case .reinstall: "Reinstall synthhost."
        case .correct: "Correct the file, or reinstall synthhost."
        case .permit: "Check the permissions of the file."
        }
    }
}

extension SpeechError.Remedy.TokenRepair {
    fileprivate var command: String {
        switch self {
        case .chooseOther: "Pass a different file with --http-token-file FILE, or set SYNTHHOST_HTTP_TOKEN."
        case .own:
            "Change the file's owner to the service's user, or pass a different file with --http-token-file FILE."
        case .hide(let path):
            "Remove the file so that synthhost creates a new one, or type: chmod 600 \(Wording.quoted(path))"
        case .write:
            "A token is a single line of 16 to 512 characters: letters, digits and -._~+/. To create one, type: "
                + "openssl rand -hex 32"
        }
    }
}
