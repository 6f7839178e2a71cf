/// A request from speech-dispatcher's server to a module. See the chapter "Communication Protocol for Output Modules" in its manual.
enum ModuleRequest: Equatable, Sendable {
    case start
    /// The start of a block. The server sends the lines of the block once the module has invited it to.
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
    /// Starts logging to `file`, or stops logging if it is nil.
    case debug(file: String?)
    case quit
    case badSyntax
    case unknown
}

/// A multi-line request, terminated by a line that consists of a single dot.
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

/// The lines of a settings block.
struct ModuleAssignments: Equatable, Sendable {
    struct Assignment: Equatable, Sendable {
        let name: String
        let value: String

        /// Returns nil if the line is not an assignment.
        init?(_ line: String) {
            guard let sign = line.firstIndex(of: "=") else { return nil }
            name = String(line[..<sign])
            value = String(line[line.index(after: sign)...])
            if name.isEmpty || value.isEmpty { return nil }
        }
    }

    /// The maximum number of assignments. Servers send far fewer.
    private static let most = 256

    private(set) var assignments: [Assignment] = []
    /// Whether the block contains a line that is not an assignment.
    private(set) var isMalformed = false

    mutating func add(_ line: String) {
        if assignments.count < Self.most, let assignment = Assignment(line) {
            assignments.append(assignment)
        } else {
            isMalformed = true
        }
    }

    /// Applies all assignments, including those after an invalid one.
    ///
    /// - Parameter use: returns false if the value is invalid.
    /// - Returns: the error, or nil if there is none.
    func apply(_ use: (_ name: String, _ value: String) -> Bool) -> ModuleReply? {
        var isRight = true
        for assignment in assignments where !use(assignment.name, assignment.value) { isRight = false }
        if isMalformed { return .badSyntax }
        return isRight ? nil : .badValue
    }

    subscript(_ name: String) -> String? { assignments.last { $0.name == name }?.value }
}

/// A message to speak, as received.
struct ModuleMessage: Equatable, Sendable {
    enum Kind: Hashable, Sendable {
        /// SSML.
        case text
        /// A single character, or "space".
        case character
        /// A key name, such as "shift_a".
        case key
        /// The name of a sound icon.
        case icon
    }

    let kind: Kind
    let text: String
}
