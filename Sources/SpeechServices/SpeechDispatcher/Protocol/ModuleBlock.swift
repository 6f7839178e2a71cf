/// What comes in several lines, up to one with a dot alone.
enum ModuleBlock: Equatable, Sendable {
    case audio, logLevel, settings
    case message(ModuleMessage.Kind)

    init?(command: String) {
        switch command {
        case "AUDIO": self = .audio
        case "LOGLEVEL": self = .logLevel
        case "SET": self = .settings
        case "SPEAK": self = .message(.text)
        case "CHAR": self = .message(.character)
        case "KEY": self = .message(.key)
        case "SOUND_ICON": self = .message(.icon)
        default: return nil
        }
    }

    /// What the server is told before it sends the lines.
    var invitation: ModuleReply {
        switch self {
        case .audio: .receivingAudio
        case .logLevel: .receivingLogLevel
        case .settings: .receivingSettings
        case .message: .receivingMessage
        }
    }
}
