/// A request of speech-dispatcher's server to a module. Source: the chapter "Communication Protocol for Output Modules" of its manual.
enum ModuleRequest: Equatable, Sendable {
    case start
    /// The server will send the lines of a block after it gets an invitation.
    case open(ModuleBlock)
    case audio(ModuleAssignments)
    case logLevel(ModuleAssignments)
    case set(ModuleAssignments)
    case say(ModuleMessage)
    /// A message that the module cannot speak.
    case refuse(ModuleReply)
    case listVoices(language: String?, variant: String?)
    case stop
    case pause
    /// nil = stop logging.
    case debug(file: String?)
    case quit
    case badSyntax
    case unknown
}

/// A request of several lines, which end with a line that contains only a dot.
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

    /// The reply that invites the server to send the lines.
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

        /// nil = the line is not an assignment.
        init?(_ line: String) {
            guard let sign = line.firstIndex(of: "=") else { return nil }
            name = String(line[..<sign])
            value = String(line[line.index(after: sign)...])
            if name.isEmpty || value.isEmpty { return nil }
        }
    }

    /// No server reaches this limit.
    private static let most = 256

    private(set) var assignments: [Assignment] = []
    /// Whether a line was not an assignment.
    private(set) var isMalformed = false

    mutating func add(_ line: String) {
        if assignments.count < Self.most, let assignment = Assignment(line) {
            assignments.append(assignment)
        } else {
            isMalformed = true
        }
    }

    /// Applies all assignments, even after an invalid one.
    ///
    /// - Parameter use: false = the value is invalid.
    /// - Returns: the error; nil = none.
    func apply(_ use: (_ name: String, _ value: String) -> Bool) -> ModuleReply? {
        var isRight = true
        for assignment in assignments where !use(assignment.name, assignment.value) { isRight = false }
        if isMalformed { return .badSyntax }
        return isRight ? nil : .badValue
    }

    subscript(_ name: String) -> String? { assignments.last { $0.name == name }?.value }
}

/// A message to speak, in the form that the server sends.
struct ModuleMessage: Equatable, Sendable {
    enum Kind: Hashable, Sendable {
        /// SSML.
        case text
        /// One character; "space" for a space.
        case character
        /// The name of a key: "shift_a".
        case key
        /// The name of a sound icon.
        case icon
    }

    let kind: Kind
    let text: String
}
