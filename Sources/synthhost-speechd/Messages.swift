import Glibc
import SpeechServices
import System

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
        wrongAudio: { "synthhost plays no sound itself (\"\($0)\"): it is given to the server." },
        note: { say($0.sentence) })
}
