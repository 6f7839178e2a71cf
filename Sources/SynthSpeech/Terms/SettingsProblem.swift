extension SpeechError {
    /// What says how to speak, and cannot be used.
    @nonexhaustive
    public enum SettingsProblem: Equatable, Sendable {
        /// A variable of the environment is not UTF-8, so it would lead to other files than it says.
        case environment(variable: String)
        /// The configuration says something wrong, or cannot be read.
        case configuration(ConfigurationError)
        /// A registry of voices says something wrong, or cannot be read: its path, or the engine that declares the
        /// voices, and the line, if it is known.
        case registry(String, line: Int?)
    }
}

/// Why the configuration cannot be read or changed.
@nonexhaustive
public enum ConfigurationError: Error, Equatable, Sendable {
    /// The file cannot be read; `reason` is a clause, in the system's words if the system refused.
    case unreadable(file: String, reason: String)
    /// The file is not JSON. Line and column count from 1; `reason` is a clause: "a comma is expected".
    case notJSON(file: String, line: Int, column: Int, reason: String)
    /// The file holds another value than an object.
    case notAnObject(file: String, line: Int, found: String)
    /// The file has an unknown key; `near` is the key that may have been meant.
    case unknownKey(String, file: String, line: Int, near: String?)
    /// The file has an invalid value for a key; `expected` and `found` are clauses: "true or false", "the number 1".
    case wrongValue(key: String, file: String, line: Int, expected: String, found: String)
    /// An environment variable has an invalid value.
    case wrongVariable(String, value: String, expected: String)
    /// A requested key does not exist; `near` is the key that may have been meant.
    case noSuchKey(String, near: String?)
    /// The key to set has one value for each engine, and no engine was named.
    case namesNoEngine(key: String)
    /// The key to set has one path for each clip, and none was named.
    case namesNoClip(key: String)
    /// The key to set holds the factors of a voice's profile, and none was named.
    case namesNoFactor(key: String)
    /// The value to set is invalid for its key.
    case notSettable(key: String, value: String, expected: String)
    /// The file cannot be written; `code` is `errno`.
    case unwritable(file: String, code: Int32)
}

extension ConfigurationError: CustomStringConvertible {
    /// A short description, for programs that have no text of their own.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason): "\(file): \(reason)"
        case .notJSON(let file, let line, let column, let reason): "\(file), line \(line), column \(column): \(reason)"
        case .notAnObject(let file, let line, let found): "\(file), line \(line): \(found) instead of an object"
        case .unknownKey(let key, let file, let line, _): "\(file), line \(line): unknown key \(key)"
        case .wrongValue(let key, let file, let line, let expected, let found):
            "\(file), line \(line): \(key) must be \(expected), not \(found)"
        case .wrongVariable(let name, let value, let expected): "\(name) must be \(expected), not \(value)"
        case .noSuchKey(let key, _): "no such key: \(key)"
        case .namesNoEngine(let key): "\(key) holds one value for each engine"
        case .namesNoClip(let key): "\(key) holds one path for each clip"
        case .namesNoFactor(let key): "\(key) holds a rate, a pitch and a volume of one voice"
        case .notSettable(let key, let value, let expected): "\(key) must be \(expected), not \(value)"
        case .unwritable(let file, let code): "\(file): cannot be written (\(code))"
        }
    }
}

/// A part of synthhost that was not found.
package struct MissingProgram: Equatable, Sendable {
    /// The name of the program.
    package let missing: String
    /// The paths that were searched.
    package let candidates: [String]

    package init(missing: String, candidates: [String]) {
        self.missing = missing
        self.candidates = candidates
    }
}
