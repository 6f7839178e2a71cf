import SynthAudio
import SynthHost

/// A reply from the module, as a single line.
enum ModuleReply: String, Sendable {
    case receivingMessage = "202 OK RECEIVING MESSAGE"
    case receivingSettings = "203 OK RECEIVING SETTINGS"
    case receivingAudio = "207 OK RECEIVING AUDIO SETTINGS"
    case receivingLogLevel = "207 OK RECEIVING LOGLEVEL SETTINGS"
    case speaking = "200 OK SPEAKING"
    case voicesSent = "200 OK VOICE LIST SENT"
    case debuggingOn = "200 OK DEBUGGING ON"
    case debuggingOff = "200 OK DEBUGGING OFF"
    case audioReady = "203 OK AUDIO INITIALIZED"
    case logLevelSet = "203 OK LOGLEVEL SET"
    case settingsReceived = "203 OK SETTINGS RECEIVED"
    case bye = "210 OK QUIT"
    case loaded = "299 OK LOADED SUCCESSFULLY"
    case unknownCommand = "300 ERR UNKNOWN COMMAND"
    case moduleError = "300 MODULE ERROR"
    case cannotSpeak = "301 ERROR CANT SPEAK"
    case badSyntax = "302 ERROR BAD SYNTAX"
    case badValue = "303 ERROR INVALID PARAMETER OR VALUE"
    case badDebugFile = "303 CANT OPEN CUSTOM DEBUG FILE"
    case noVoices = "304 CANT LIST VOICES"
    case severalLines = "305 DATA MORE THAN ONE LINE"
    case notLoaded = "399 ERR CANT INIT MODULE"

    var bytes: [UInt8] { Array(rawValue.utf8) + [0x0A] }

    /// Returns the reply, preceded by detail lines with the same code.
    func bytes(after lines: [String]) -> [UInt8] {
        lines.flatMap { line in Array("\(rawValue.prefix(3))-\(ModuleWord.line(line))\n".utf8) } + bytes
    }
}

/// An event that the module sends while it speaks.
enum ModuleEvent: Equatable, Sendable {
    case begin
    case mark(String)
    case end
    case stop
    case pause

    var bytes: [UInt8] {
        switch self {
        case .begin: Array("701 BEGIN\n".utf8)
        case .mark(let name): Array("700-\(ModuleWord.line(name))\n700 INDEX MARK\n".utf8)
        case .end: Array("702 END\n".utf8)
        case .stop: Array("703 STOP\n".utf8)
        case .pause: Array("704 PAUSE\n".utf8)
        }
    }
}

/// Encodes an audio chunk as an event, with 16-bit little-endian samples and reserved bytes escaped.
enum ModuleSound {
    /// The maximum size of an event before escaping, in bytes. The module library in speech-dispatcher uses the same
    /// size. Events are kept small, because a stop takes effect only at the end of an event.
    static let maximumBytes = 10_000

    private static let escape: UInt8 = 0x7D
    private static let flip: UInt8 = 0x20
    private static let lineEnd: UInt8 = 0x0A

    /// Returns the maximum number of frames in an event.
    static func frames(_ format: SpeechFormat) -> Int { max(1, maximumBytes / (2 * max(1, format.channels))) }

    /// - Parameter samples: interleaved samples in complete frames.
    static func event(_ samples: ArraySlice<Float>, _ format: SpeechFormat) -> [UInt8] {
        let head = """
            705-bits=16
            705-num_channels=\(format.channels)
            705-sample_rate=\(format.sampleRate)
            705-num_samples=\(samples.count / max(1, format.channels))
            705-big_endian=0
            705-AUDIO\0
            """
        var bytes = Array(head.utf8)
        bytes.reserveCapacity(bytes.count + samples.count * 2 + samples.count / 16 + 16)
        for sample in samples {
            let value = UInt16(bitPattern: FloatPCM.int16(sample))
            append(UInt8(truncatingIfNeeded: value), to: &bytes)
            append(UInt8(truncatingIfNeeded: value >> 8), to: &bytes)
        }
        return bytes + Array("\n705 AUDIO\n".utf8)
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        if byte == lineEnd || byte == escape {
            bytes.append(escape)
            bytes.append(byte ^ flip)
        } else {
            bytes.append(byte)
        }
    }
}

/// Sanitizes untrusted text for use in a line of the protocol.
enum ModuleWord {
    /// Replaces characters that would end the line. Leaves tabs unchanged, because they separate fields.
    static func line(_ text: String) -> String {
        replacing(text, by: " ") { $0 != "\t" && $0.properties.generalCategory == .control }
    }

    /// Converts the text to a single word, because the server reads a name up to the next space.
    static func name(_ text: String) -> String {
        replacing(text, by: "_") { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    }

    private static func replacing(
        _ text: String, by other: Unicode.Scalar, where isWrong: (Unicode.Scalar) -> Bool
    ) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { scalars.append(isWrong(scalar) ? other : scalar) }
        return String(scalars)
    }
}
