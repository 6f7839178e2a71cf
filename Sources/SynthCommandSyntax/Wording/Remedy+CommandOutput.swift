import SynthSystem

extension SpeechError.Remedy {
    // Output.
    func ofOutput() -> String? {
        switch self {
        case .createFolder(let folder, let output):
            "Create it with `mkdir -p \(Wording.quoted(folder))`, or choose another file with `\(output.option)`."
        case .chooseFile(let output): output.otherFile
        case .chooseFileInFolder(let folder):
            "Name a file in it, for instance `-o \(Wording.quoted((folder.hasSuffix("/") ? folder : folder + "/") + "speech.wav"))`."
        case .overwriteFile(let path):
            "Choose another file with `-o file.wav`, or have the shell overwrite it: `-o - > \(Wording.quoted(path))`."
        case .freeSpace(let output): output.freeSpace
        case .raiseLimit(.fileSize): "Lift the limit with `ulimit -f unlimited`."
        case .chooseFormat(let formats):
            "End the name in \(Wording.either(formats.map { ".\($0)" })), or name one of them with `--format`."
        case .chooseTimingsFormat(let formats):
            "End the name in \(Wording.either(formats.map { ".\($0)" })), for instance `--timings speech.srt`."
        case .matchFormat(let format, let ending):
            "Leave `--format` out, or end the name in .\(format) instead of .\(ending)."
        case .chooseWrittenFormat: "Choose one of them with `--format`, or install a newer libsndfile."
        case .chooseOtherFormat: "Choose another format, such as `-o file.wav`."
        case .shortenTag(let name): "Shorten what `--\(name)` says."
        case .keepReaderRunning: "Keep the reading program running until the speech ends."
        case .keepOutputOpen: "Run the command again without closing it (>&-)."
        case .answerByOption: "Run the command again and give the answer as an option."
        case .writeFile: "`synthhost speak … -o file.wav` writes a file instead."
        case .chooseDevice(let known):
            "Devices: \(Wording.list(known)); `synthhost speak … -d DEVICE` chooses one, \(Self.orFile)."
        case .chooseOtherDevice: "Choose another device with `-d DEVICE`; \(Self.orFile)."
        case .freeDevice(let device): device.advice("End the other program", or: Self.orDevice)
        case .joinAudioGroup(let device):
            device.advice(
                "Join the group with `sudo usermod -aG audio $USER` and log in again", or: "; \(Self.orFile).")
        case .startSoundServer(let device):
            device.advice("Log in to a desktop or start its sound server", or: Self.orDevice)
        case .convertForDevice(let name, let device):
            device.advice("Try `-d plug:\(name)`, which converts", or: ", or `-d default`; \(Self.orFile).")
        case .connectMicrophone: Device.microphone.advice("Connect a microphone", or: "")
        case .reconnectMicrophone: Device.microphone.advice("Connect it again", or: "")
        case .useCommonFormat:
            "Sample rates from 1000 to 384000 Hz with 1 to 8 channels are possible; try another voice."
        case .chooseSpeed(let rates, let pitches):
            "Choose a tempo from \(rates.lowerBound) to \(rates.upperBound) and a pitch from \(pitches.lowerBound) to \(pitches.upperBound)."
        case .keepRateAndPitch: "Try again without a change of rate and pitch, or with another voice."
        case .turnLoudnessOff: "Leave the loudness as it is with --loudness off."
        default: nil
        }
    }

    // Clips and recordings.
    func ofClipsAndRecordings() -> String? {
        switch self {
        case .checkFile: "Check the path and the permissions of the file."
        case .convertSound(let path): "To convert it first, type: ffmpeg -i \(ShellWord.quoted(path)) clip.wav"
        case .replaceSound: "Get the file again, or record it again."
        case .chooseRecording: "Name an audio file, or a video with sound."
        case .cutSound: "Cut it into shorter files."
        case .nameClip:
            "Give it a name with `synthhost config set clips.NAME FILE`, or take a folder of clips with --clips DIR."
        case .useOneChannel: "Let clips that follow each other have one channel."
        case .nameEnding: "Name it with its ending, or rename one of them."
        case .chooseClipFolder: "Name a folder that can be read with --clips."
        default: nil
        }
    }

    // Recognizers.
    func ofRecognizers() -> String? {
        switch self {
        case .installRecognizer(let folder): "Put a recognizer's .so file into \(folder)."
        case .inspectRecognizers: "`synthhost recognizers` shows why."
        case .chooseRecognizer(let known): "Installed are: \(Wording.all(known))."
        case .chooseTranscriber: "`listen` uses it beside another recognizer; `synthhost recognizers` lists them."
        case .chooseModel: "`synthhost recognizers` lists the models."
        case .chooseOtherModel: "`synthhost recognizers` lists others."
        case .tryOtherRecognizer(let log):
            "Try again, choose another one with --recognizer, or tell the author of this one."
                + (log.map { " Its log: \($0)" } ?? "")
        default: nil
        }
    }
}

extension SpeechError.Remedy {
    fileprivate static let orFile = "`-o file.wav` writes a file instead"
    fileprivate static let orDevice = ", or choose another device with `-d DEVICE`; \(orFile)."
}

extension SpeechError.Remedy.Device {
    /// - Parameter otherwise: the end of the sentence for a device that plays.
    fileprivate func advice(_ first: String, or otherwise: String) -> String {
        switch self {
        case .output: first + otherwise
        case .microphone: first + ", or name another microphone with -d, as in: -d plughw:1"
        }
    }
}

extension SpeechError.Remedy.Output {
    fileprivate var option: String { self == .timings ? "--timings" : "-o" }

    fileprivate var otherFile: String {
        switch self {
        case .timings: "Choose another file with `--timings`."
        case .sound, .voices: "Choose another file with `-o file.wav`."
        case .text: "Check where the output is redirected to and run the command again."
        }
    }

    fileprivate var freeSpace: String {
        switch self {
        case .sound: "Free some space, or choose a file on another disk with `-o file.wav`."
        case .timings: "Free some space, or choose a file on another disk with `--timings`."
        case .text: "Free some space and run the command again."
        case .voices: "Free some space (synthhost models prune), then run the same command."
        }
    }
}
