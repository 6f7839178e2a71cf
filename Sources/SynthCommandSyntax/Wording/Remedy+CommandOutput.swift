import SynthSystem

extension SpeechError.Remedy {
    func ofOutput() -> String? {
        switch self {
        case .createFolder(let folder, let output):
            "Create the folder with `mkdir -p \(Wording.quoted(folder))`, or choose a different file with "
                + "`\(output.option)`."
        case .chooseFile(let output): output.otherFile
        case .chooseFileInFolder(let folder):
            "Choose a file in that folder, for example `-o \(Wording.quoted((folder.hasSuffix("/") ? folder : folder + "/") + "speech.wav"))`."
        case .overwriteFile(let path):
            "Choose a different file with `-o file.wav`, or let the shell overwrite it: `-o - > "
                + "\(Wording.quoted(path))`."
        case .freeSpace(let output): output.freeSpace
        case .raiseLimit(.fileSize): "Raise the limit with `ulimit -f unlimited`."
        case .chooseFormat(let formats):
            "Use the extension \(Wording.either(formats.map { ".\($0)" })), or choose a format with `--format`."
        case .chooseTimingsFormat(let formats):
            "Use the extension \(Wording.either(formats.map { ".\($0)" })), for example `--timings speech.srt`."
        case .matchFormat(let format, let ending):
            "Omit `--format`, or use the extension .\(format) instead of .\(ending)."
        case .chooseWrittenFormat: "Choose one of these formats with `--format`, or install a newer libsndfile."
        case .chooseOtherFormat: "Choose a different format, such as `-o file.wav`."
        case .shortenTag(let name): "Shorten the value of `--\(name)`."
        case .keepReaderRunning: "Keep the program that reads the output running until the speech ends."
        case .keepOutputOpen: "Run the command again without closing standard output (>&-)."
        case .answerByOption: "Run the command again and pass the answer as an option."
        case .writeFile: "`synthhost speak … -o file.wav` writes a file instead."
        case .chooseDevice(let known):
            "Devices: \(Wording.list(known)); `synthhost speak … -d DEVICE` chooses one; \(Self.orFile)."
        case .chooseOtherDevice: "Choose a different device with `-d DEVICE`; \(Self.orFile)."
        case .freeDevice(let device): device.advice("Close the other program", or: Self.orDevice)
        case .joinAudioGroup(let device):
            device.advice(
                "Join the group with `sudo usermod -aG audio $USER` and log in again", or: "; \(Self.orFile).")
        case .startSoundServer(let device):
            device.advice("Log in to a desktop session or start the sound server", or: Self.orDevice)
        case .convertForDevice(let name, let device):
            device.advice("Try `-d plug:\(name)`, which converts the format", or: ", or `-d default`; \(Self.orFile).")
        case .connectMicrophone: Device.microphone.advice("Connect a microphone", or: "")
        case .reconnectMicrophone: Device.microphone.advice("Connect the microphone again", or: "")
        case .useCommonFormat:
            "Sample rates from 1000 to 384000 Hz with 1 to 8 channels are supported; try a different voice."
        case .chooseSpeed(let rates, let pitches):
            "Choose a tempo from \(rates.lowerBound) to \(rates.upperBound) and a pitch from \(pitches.lowerBound) to "
                + "\(pitches.upperBound)."
        case .keepRateAndPitch: "Try again without changing the rate or pitch, or use a different voice."
        case .turnLoudnessOff: "Turn off the loudness adjustment with --loudness off."
        default: nil
        }
    }

    func ofClipsAndRecordings() -> String? {
        switch self {
        case .checkFile: "Check the file's path and permissions."
        case .convertSound(let path): "To convert the file first, type: ffmpeg -i \(ShellWord.quoted(path)) clip.wav"
        case .replaceSound: "Get a new copy of the file, or record it again."
        case .chooseRecording: "Pass an audio file, or a video with an audio track."
        case .cutSound: "Split the file into shorter ones."
        case .nameClip:
            "Give the clip a name with `synthhost config set clips.NAME FILE`, or pass a folder of clips with --clips "
                + "DIR."
        case .useOneChannel: "Put consecutive clips on the same channel."
        case .nameEnding: "Add the extension to the name, or rename one of the files."
        case .chooseClipFolder: "Pass a readable folder with --clips."
        default: nil
        }
    }

    func ofRecognizers() -> String? {
        switch self {
        case .installRecognizer(let folder): "Put a recognizer's .so file in \(folder)."
        case .inspectRecognizers: "`synthhost recognizers` shows the reason."
        case .chooseRecognizer(let known): "Installed recognizers: \(Wording.all(known))."
        case .chooseTranscriber:
            "Choose a recognizer that can transcribe speech; `synthhost recognizers` lists the recognizers."
        case .chooseModel: "`synthhost recognizers` lists the models."
        case .chooseOtherModel: "`synthhost recognizers` lists other models."
        case .tryOtherRecognizer(let log):
            "Try again, choose a different recognizer with --recognizer, or report this to the recognizer's author."
                + (log.map { " The recognizer's log: \($0)" } ?? "")
        default: nil
        }
    }
}

extension SpeechError.Remedy {
    /// Adapts a remedy to `read`, which has no -o option for writing its audio to a file.
    package static func whileReading(_ command: String) -> String {
        let instead = "`synthhost book FILE` makes audio files instead"
        return command.replacing("`synthhost speak … -o file.wav` writes a file instead", with: instead)
            .replacing(orFile, with: instead).replacing("`synthhost speak … -d", with: "`synthhost read … -d")
    }

    fileprivate static let orFile = "`-o file.wav` writes a file instead"
    fileprivate static let orDevice = ", or choose a different device with `-d DEVICE`; \(orFile)."
}

extension SpeechError.Remedy.Device {
    /// - Parameter otherwise: the end of the sentence for an output device.
    fileprivate func advice(_ first: String, or otherwise: String) -> String {
        switch self {
        case .output: first + otherwise
        case .microphone: first + ", or choose a different microphone with -d, as in: -d plughw:1"
        }
    }
}

extension SpeechError.Remedy.Output {
    fileprivate var option: String { self == .timings ? "--timings" : "-o" }

    fileprivate var otherFile: String {
        switch self {
        case .timings: "Choose a different file with `--timings`."
        case .sound, .voices: "Choose a different file with `-o file.wav`."
        case .text: "Check where the output is redirected, then run the command again."
        }
    }

    fileprivate var freeSpace: String {
        switch self {
        case .sound: "Free some space, or choose a file on a different disk with `-o file.wav`."
        case .timings: "Free some space, or choose a file on a different disk with `--timings`."
        case .text: "Free some space, then run the command again."
        case .voices: "Free some space with `synthhost models prune`, then run the same command again."
        }
    }
}
