/// Why the configuration cannot be read or changed.
@nonexhaustive
public enum ConfigurationError: Error, Equatable, Sendable {
    /// The file cannot be read; `reason` is a clause, in the system's words where it is the system that refuses.
    case unreadable(file: String, reason: String)
    /// The file is not JSON. Line and column count from 1; `reason` is a clause: "a comma is expected".
    case notJSON(file: String, line: Int, column: Int, reason: String)
    /// The file holds another value than an object.
    case notAnObject(file: String, line: Int, found: String)
    /// A key of the file that means nothing; `near` is the key that may have been meant.
    case unknownKey(String, file: String, line: Int, near: String?)
    /// A value of the file that its key cannot have; `expected` and `found` say what both are: "true or false",
    /// "the number 1".
    case wrongValue(key: String, file: String, line: Int, expected: String, found: String)
    /// A variable of the environment has a value that its key cannot have.
    case wrongVariable(String, value: String, expected: String)
    /// A key that was asked for does not exist; `near` is the key that may have been meant.
    case noSuchKey(String, near: String?)
    /// A key that was to be set holds one value for each engine.
    case namesNoEngine(key: String)
    /// A value that was to be set is none that its key can have.
    case notSettable(key: String, value: String, expected: String)
    /// The file cannot be written; `code` is `errno`.
    case unwritable(file: String, code: Int32)
}

extension ConfigurationError: CustomStringConvertible {
    /// In few words, for whoever has no better ones.
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
        case .notSettable(let key, let value, let expected): "\(key) must be \(expected), not \(value)"
        case .unwritable(let file, let code): "\(file): cannot be written (\(code))"
        }
    }
}
