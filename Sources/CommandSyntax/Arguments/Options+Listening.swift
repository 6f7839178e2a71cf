package import Listening

/// Those of the commands that listen.
extension Options {
    package static let transcriptOutput = Option<String>(
        "output", short: "o", "OUT", "write a file: .txt, .srt, .vtt or .json; - is standard output")
    package static let transcriptFormat = Option<TranscriptFormat>(
        "format", "FORM", "the form, if no ending says it: txt, srt, vtt or json; txt is the default"
    ) { text throws(ValueError) in
        guard let format = TranscriptFormat(rawValue: text.lowercased()) else {
            throw ValueError(expectation: "txt, srt, vtt or json")
        }
        return format
    }
    package static let recognizer = Option<String>("recognizer", "ID", "the recognizer that listens")
    package static let recognizerModel = Option<String>("model", short: "m", "MODEL", "the model that it uses")
    package static let spokenLanguage = Option<String>(
        "language", short: "l", "LANG", "what is spoken, such as de; without it the recognizer finds out")
    package static let microphone = Option<String>("device", short: "d", "DEVICE", "the ALSA device that hears")
    package static let assistantMicrophone = Option<String>(
        "microphone", "DEVICE", "the ALSA device that hears; it is opened by the tool listen alone")
    package static let listenTimeout = Option<Double>(
        "timeout", "SECONDS", "how long to listen at most; 30 is the default", convert: seconds(upTo: 3600))
    package static let listenSilence = Option<Double>(
        "silence", "SECONDS", "the silence after which nobody speaks any more; 2 is the default",
        convert: seconds(upTo: 60))
    package static let record = Option<String>(
        "record", "OUT.wav", "keep what was said, without the silence around it; a new file is for you alone")
    package static let setupListening = Flag("listen", "get a model that listens, instead of a voice")
    package static let number = Flag("number", "expect a number, and print it in digits")
    package static let names = Option<[String]>("names", "NAMES", "expect one of these, with commas between them") {
        text throws(ValueError) in
        let names = text.split(separator: ",").map { $0.split(separator: " ").joined(separator: " ") }.filter {
            !$0.isEmpty
        }
        guard !names.isEmpty, names.count <= 1000 else {
            throw ValueError(expectation: "names with commas between them, such as Anna,Ben,Clara")
        }
        return names
    }
    private static func seconds(upTo most: Double) -> @Sendable (String) throws(ValueError) -> Double {
        { text throws(ValueError) in
            guard let seconds = Double(text), seconds > 0, seconds <= most else {
                throw ValueError(expectation: "a number of seconds up to \(Int(most))")
            }
            return seconds
        }
    }

    package static let translate = Flag("translate", "write it down in English, whatever is spoken")
}
