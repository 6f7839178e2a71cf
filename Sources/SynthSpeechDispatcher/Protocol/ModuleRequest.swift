/// What speech-dispatcher's server asks a module for. Source: the chapter "Communication Protocol for Output Modules" of its
/// manual.
enum ModuleRequest: Equatable, Sendable {
    case start
    /// The lines of a block are about to come, and are waited for until the server is invited to send them.
    case open(ModuleBlock)
    case audio(ModuleAssignments)
    case logLevel(ModuleAssignments)
    case set(ModuleAssignments)
    case say(ModuleMessage)
    /// A message that cannot be said.
    case refuse(ModuleReply)
    case listVoices(language: String?, variant: String?)
    case stop
    case pause
    /// nil = no more.
    case debug(file: String?)
    case quit
    case badSyntax
    case unknown
}

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

/// The lines of a block of settings.
struct ModuleAssignments: Equatable, Sendable {
    struct Assignment: Equatable, Sendable {
        let name: String
        let value: String

        /// nil = the line is no assignment.
        init?(_ line: String) {
            guard let sign = line.firstIndex(of: "=") else { return nil }
            name = String(line[..<sign])
            value = String(line[line.index(after: sign)...])
            if name.isEmpty || value.isEmpty { return nil }
        }
    }

    /// More of them than any server has.
    private static let most = 256

    private(set) var assignments: [Assignment] = []
    /// Whether a line was none.
    private(set) var isMalformed = false

    mutating func add(_ line: String) {
        if assignments.count < Self.most, let assignment = Assignment(line) {
            assignments.append(assignment)
        } else {
            isMalformed = true
        }
    }

    /// Uses all of them, also after one that cannot be used.
    ///
    /// - Parameter use: false = the value is wrong.
    /// - Returns: what is wrong; nil = nothing.
    func apply(_ use: (_ name: String, _ value: String) -> Bool) -> ModuleReply? {
        var isRight = true
        for assignment in assignments where !use(assignment.name, assignment.value) { isRight = false }
        if isMalformed { return .badSyntax }
        return isRight ? nil : .badValue
    }

    subscript(_ name: String) -> String? { assignments.last { $0.name == name }?.value }
}

/// Something to say, as the server sends it.
struct ModuleMessage: Equatable, Sendable {
    enum Kind: Hashable, Sendable {
        /// SSML.
        case text
        /// One character; "space" for a blank.
        case character
        /// The name of a key: "shift_a".
        case key
        /// The name of a sound.
        case icon
    }

    let kind: Kind
    let text: String
}
