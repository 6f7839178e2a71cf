import Glibc
package import SynthSystem

/// Errors that occur when the configuration is read or changed. Line and column numbers start at 1. Expected and actual
/// values are noun phrases such as "true or false" and "the number 1".
extension SpeechError {
    /// The configuration file cannot be read.
    ///
    /// - Parameter reason: a clause or the system's error message.
    package static func configurationUnreadable(file: String, reason: String) -> SpeechError {
        SpeechError(
            .configurationInvalid, "Cannot read the configuration \(file): \(reason).",
            Facts(path: file, reason: reason), remedy: .chooseConfiguration)
    }

    /// The configuration file is not valid JSON.
    ///
    /// - Parameter reason: a clause such as "a comma is expected".
    package static func configurationNotJSON(file: String, line: Int, column: Int, reason: String) -> SpeechError {
        SpeechError(
            .configurationInvalid, "\(file) is not valid JSON at line \(line), column \(column): \(reason).",
            Facts(path: file, line: line, column: column, reason: reason), remedy: .correctLine)
    }

    /// The file's top-level value is not an object.
    package static func configurationNotObject(file: String, line: Int, found: String) -> SpeechError {
        SpeechError(
            .configurationInvalid, "\(file) must contain one JSON object, not \(found) (line \(line)).",
            Facts(path: file, line: line, reason: found), remedy: .writeObject)
    }

    /// The file contains an unknown key.
    ///
    /// - Parameter near: a similar key that the user probably meant.
    package static func unknownKey(_ key: String, file: String, line: Int, near: String?) -> SpeechError {
        SpeechError(
            .configurationInvalid, "\(file), line \(line): the key \"\(key)\" is unknown.",
            Facts(path: file, line: line, name: key, candidates: near.map { [$0] } ?? []),
            remedy: .removeSetting(key, near: near))
    }

    /// A key in the file has an invalid value.
    package static func wrongValue(
        key: String, file: String, line: Int, expected: String, found: String
    ) -> SpeechError {
        SpeechError(
            .configurationInvalid, "\(file), line \(line): \"\(key)\" must be \(expected), not \(found).",
            Facts(path: file, line: line, name: key, reason: found, candidates: [expected]),
            remedy: .resetSetting(key))
    }

    /// An environment variable has an invalid value.
    package static func wrongVariable(_ name: String, value: String, expected: String) -> SpeechError {
        SpeechError(
            .configurationInvalid, "\(name) must be \(expected), not \"\(value)\".",
            Facts(name: name, reason: value, candidates: [expected]), remedy: .correctVariable(name))
    }

    /// The requested key does not exist. `near` is a similar key that the user probably meant.
    package static func noSuchKey(_ key: String, near: String?) -> SpeechError {
        SpeechError(
            .settingInvalid, "No configuration key is called \"\(key)\".",
            Facts(name: key, candidates: near.map { [$0] } ?? []), remedy: .chooseSetting(near: near))
    }

    /// The key must include an engine, because each engine has its own value.
    package static func namesNoEngine(key: String) -> SpeechError {
        SpeechError(
            .settingInvalid, "\"\(key)\" has a separate value for each engine.", Facts(name: key),
            remedy: .nameEngineInSetting(key))
    }

    /// The key must include a clip name, because each clip has its own path.
    package static func namesNoClip(key: String) -> SpeechError {
        SpeechError(
            .settingInvalid, "\"\(key)\" has a separate path for each clip.", Facts(name: key),
            remedy: .nameClipInSetting(key))
    }

    /// The key refers to an entire voice profile, so it must include the name of a factor.
    package static func namesNoFactor(key: String) -> SpeechError {
        SpeechError(
            .settingInvalid, "\"\(key)\" is an entire voice profile, not a single setting.", Facts(name: key),
            remedy: .nameFactorInSetting)
    }

    /// The value is invalid for the key.
    package static func notSettable(key: String, value: String, expected: String) -> SpeechError {
        SpeechError(
            .settingInvalid, "\"\(key)\" must be \(expected), not \(ShellWord.quoted(value)).",
            Facts(name: key, reason: value, candidates: [expected]), remedy: .changeSetting(key))
    }

    /// The configuration file cannot be written.
    ///
    /// - Parameter code: the value of `errno`.
    package static func configurationUnwritable(file: String, code: Int32) -> SpeechError {
        let reason = code == EFBIG ? "it would exceed the file size limit" : "\(Errno(code))"
        return SpeechError(
            .configurationNotWritten, "Cannot write the configuration \(file): \(reason).",
            Facts(path: file, reason: reason, errno: code),
            remedy: code == EFBIG ? .raiseLimit(.fileSize) : .checkConfigurationFolder)
    }
}
