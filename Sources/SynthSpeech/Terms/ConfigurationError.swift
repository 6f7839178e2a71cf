import Glibc
package import SynthSystem

/// Why the configuration cannot be read or changed.
package enum ConfigurationError: Error, Equatable, Sendable {
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

extension ConfigurationError: ErrorCause {
    package var code: SpeechError.Code {
        switch self {
        case .unreadable, .notJSON, .notAnObject, .unknownKey, .wrongValue, .wrongVariable: .configurationInvalid
        case .noSuchKey, .namesNoEngine, .namesNoClip, .namesNoFactor, .notSettable: .settingInvalid
        case .unwritable: .configurationNotWritten
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .unreadable(let file, let reason): .init(path: file, reason: reason)
        case .notJSON(let file, let line, let column, let reason):
            .init(path: file, line: line, column: column, reason: reason)
        case .notAnObject(let file, let line, let found): .init(path: file, line: line, reason: found)
        case .unknownKey(let key, let file, let line, let near):
            .init(path: file, line: line, name: key, candidates: near.map { [$0] } ?? [])
        case .wrongValue(let key, let file, let line, let expected, let found):
            .init(path: file, line: line, name: key, reason: found, candidates: [expected])
        case .wrongVariable(let name, let value, let expected):
            .init(name: name, reason: value, candidates: [expected])
        case .noSuchKey(let key, let near): .init(name: key, candidates: near.map { [$0] } ?? [])
        case .namesNoEngine(let key), .namesNoClip(let key), .namesNoFactor(let key): .init(name: key)
        case .notSettable(let key, let value, let expected): .init(name: key, reason: value, candidates: [expected])
        case .unwritable(let file, let code): .init(path: file, errno: code)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .unreadable: .chooseConfiguration
        case .notJSON: .correctLine
        case .notAnObject: .writeObject
        case .unknownKey(let key, _, _, let near): .removeSetting(key, near: near)
        case .wrongValue(let key, _, _, _, _): .resetSetting(key)
        case .wrongVariable(let name, _, _): .correctVariable(name)
        case .noSuchKey(_, let near): .chooseSetting(near: near)
        case .namesNoEngine(let key): .nameEngineInSetting(key)
        case .namesNoClip(let key): .nameClipInSetting(key)
        case .namesNoFactor: .nameFactorInSetting
        case .notSettable(let key, _, _): .changeSetting(key)
        case .unwritable(_, EFBIG): .raiseFileLimit
        case .unwritable: .checkConfigurationFolder
        }
    }

    package var message: String {
        switch self {
        case .unreadable(let file, let reason): "The configuration \(file) cannot be read: \(reason)."
        case .notJSON(let file, let line, let column, let reason):
            "\(file) is not valid JSON at line \(line), column \(column): \(reason)."
        case .notAnObject(let file, let line, let found):
            "\(file) must hold one JSON object, not \(found) (line \(line))."
        case .unknownKey(let key, let file, let line, _): "\(file), line \(line): the key \"\(key)\" is unknown."
        case .wrongValue(let key, let file, let line, let expected, let found):
            "\(file), line \(line): \"\(key)\" must be \(expected), not \(found)."
        case .wrongVariable(let name, let value, let expected): "\(name) must be \(expected), not \"\(value)\"."
        case .noSuchKey(let key, _): "There is no configuration key \"\(key)\"."
        case .namesNoEngine(let key): "\"\(key)\" holds one value for each engine."
        case .namesNoClip(let key): "\"\(key)\" holds one path for each clip."
        case .namesNoFactor(let key): "\"\(key)\" holds a rate, a pitch and a volume for one voice."
        case .notSettable(let key, let value, let expected):
            "\"\(key)\" must be \(expected), not \(ShellWord.quoted(value))."
        case .unwritable(let file, EFBIG):
            "The configuration \(file) cannot be written: no file may grow so large here."
        case .unwritable(let file, let code):
            "The configuration \(file) cannot be written: \(String(cString: strerror(code)))."
        }
    }
}
