import Glibc
import SynthHost
import SynthSystem

/// What the program tells whoever runs the server, in its log: the standard error.
enum Messages {
    /// A line may be no longer than a pipe takes in one piece, so that lines of several threads do not mix.
    private static let longest = 1000

    static let say: @Sendable (String) -> Void = { sentence in
        let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(longest)
        let bytes = Array("sd_synthhost: \(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    static let words = ModuleWords(
        loaded: "synthhost is ready.",
        wrongAudio: { "synthhost does not play audio itself (\"\($0)\"): it sends the audio to the server." },
        note: { say($0.sentence) })
}

/// The answer of a module that cannot be used at all.
enum ModuleRefusal {
    /// Says why, once the server asks. It is asked first of all.
    static func answer(_ why: String, input: Int32, output: Descriptor) {
        Messages.say(why)
        var question = [UInt8](repeating: 0, count: 64)
        _ = try? Errno.check { read(input, &question, question.count) }
        let line = why.split(whereSeparator: \.isNewline).joined(separator: " ")
        try? output.writeAll(Array("399-\(line)\n399 ERR CANT INIT MODULE\n".utf8))
    }
}

extension ModuleWords.Note {
    /// What was done otherwise than the server asked.
    var sentence: String {
        switch self {
        case .failed(let error): Self.message(of: error)
        case .notLoaded(let error): "A voice cannot be loaded. \(Self.message(of: error))"
        case .replaced(.phonemesSkipped(let engine, let phonemes)):
            "The engine \(engine) did not speak \(phonemes.map { "/\($0.ipa)/" } ?? "more phonemes"); it spoke the words."
        case .replaced(.voiceReplaced(let replacement)):
            "\(Self.message(of: replacement.error)) \(replacement.other.title) speaks instead."
        case .replaced(.engineInCooldown(let engine, _)):
            "The engine \(engine) failed too often and is not used for a while."
        case .replaced(let notice): "\(notice)"
        }
    }

    /// What happened, and where the log of the engine is.
    private static func message(of error: SpeechError) -> String {
        error.message + (error.log.map { " Its log: \($0)" } ?? "")
    }
}

extension ModuleOptions.Mistake.Reason {
    /// What is wrong with a line, which is passed over.
    var sentence: String {
        switch self {
        case .unknownKey(let key): "the option \"\(key)\" is unknown."
        case .badValue(let key, let value): "\(key) cannot be \"\(value)\"."
        }
    }
}
