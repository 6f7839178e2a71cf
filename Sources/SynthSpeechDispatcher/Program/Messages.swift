import Glibc
import SynthHost
import SynthSystem

/// Messages to the user. They are written to standard error, which the server copies to its log.
enum Messages {
    /// The maximum length of a line in bytes. Writes to a pipe are atomic up to this size, so lines from different
    /// threads are not mixed.
    private static let longest = 1000

    static let say: @Sendable (String) -> Void = { sentence in
        let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(longest)
        let bytes = Array("sd_synthhost: \(line)\n".utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The reply of a module that cannot speak.
enum ModuleRefusal {
    /// Responds to the server's first request with the reason why the module cannot speak.
    static func answer(_ why: String, input: Int32, output: Descriptor) {
        Messages.say(why)
        var question = [UInt8](repeating: 0, count: 64)
        _ = try? Errno.check { read(input, &question, question.count) }
        let line = why.split(whereSeparator: \.isNewline).joined(separator: " ")
        try? output.writeAll(Array("399-\(line)\n399 ERR CANT INIT MODULE\n".utf8))
    }
}

extension ModuleNote {
    /// The message about an error, or about how the speech differs from the request.
    var sentence: String {
        switch self {
        case .failed(let error): Self.message(of: error)
        case .notLoaded(let error): "A voice cannot be loaded. \(Self.message(of: error))"
        case .replaced(.phonemesSkipped(let engine, let phonemes)):
            "The engine \(engine) did not speak \(phonemes.map { "/\($0.ipa)/" } ?? "the given phonemes"); it spoke the written words instead."
        case .replaced(.voiceReplaced(let replacement)):
            "\(Self.message(of: replacement.error)) \(replacement.other.title) speaks instead."
        case .replaced(.engineInCooldown(let engine, _)):
            "The engine \(engine) failed too often and is temporarily disabled."
        case .replaced(let notice): "\(notice)"
        }
    }

    /// Returns the error message, followed by the path of the engine's log if there is one.
    private static func message(of error: SpeechError) -> String {
        error.message + (error.log.map { " Its log: \($0)" } ?? "")
    }
}

extension ModuleOptions.Mistake.Reason {
    /// The message about the mistake. The configuration line that contains the mistake is ignored.
    var sentence: String {
        switch self {
        case .unknownKey(let key): "the option \"\(key)\" is unknown."
        case .badValue(let key, let value): "\(key) cannot be \"\(value)\"."
        }
    }
}
