import Glibc
package import SynthHost
import SynthSystem

extension ConfigurationError {
    /// What happened, with key and line where they are known.
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

    /// What to type next.
    package var remedy: String {
        switch self {
        case .unreadable: "Check the file, or name another with --config FILE."
        case .notJSON: "Correct that line, or move the file away to start with the defaults."
        case .notAnObject: "Write the keys between braces, as in { \"rate\": 1.25 }."
        case .unknownKey(let key, _, _, let near):
            Self.suggestion(near) + "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))`."
        case .wrongValue(let key, _, _, _, _):
            "Correct the line, or type `synthhost config unset \(ShellWord.quoted(key))` to return to the default."
        case .wrongVariable(let name, _, _): "Correct the variable, or type: unset \(name)"
        case .noSuchKey(_, let near): Self.suggestion(near) + "`synthhost config show` lists the keys."
        case .namesNoEngine(let key): "Name the engine: `synthhost config set \(key).ENGINE VALUE`."
        case .namesNoClip(let key): "Name the clip: `synthhost config set \(key).NAME FILE`."
        case .namesNoFactor:
            "Name the voice and one of the three: `synthhost config set profiles.VOICE.rate VALUE`."
        case .notSettable(let key, _, _):
            "Type `synthhost config set \(ShellWord.quoted(key)) VALUE` with such a value."
        case .unwritable(_, EFBIG): "Lift the limit (ulimit -f unlimited), then run the same command."
        case .unwritable: "Check the folder and its owner, or name another file with --config FILE."
        }
    }

    private static func suggestion(_ near: String?) -> String { near.map { "Did you mean \"\($0)\"? " } ?? "" }
}

extension MissingProgram {
    /// What happened, in one sentence.
    package var message: String {
        "The program \(missing) is missing: \(candidates.joined(separator: ", ")) does not exist."
    }

    /// What to type next, in one sentence.
    package var remedy: String {
        "Install synthhost, as with `Scripts/install ~/.local` in its checkout, or set SYNTHHOST_PREFIX to the folder that it is installed in."
    }
}
