package import SynthScript

extension ScriptError {
    /// What is wrong, and in which place.
    package var message: String {
        let place = "Line \(place.line), column \(place.column)"
        switch reason {
        case .text(let error): return error.message
        case .tooLong(let limit) where limit < 1 << 20: return "\(place): what stands there is too long."
        case .tooLong(let limit): return "The script is longer than \(limit >> 20) MiB."
        case .tooDeep(let limit): return "\(place): more than \(limit) parts are inside each other."
        case .expected(let what): return "\(place): \(what) is missing."
        case .unexpected(let what): return "\(place): \(what) cannot stand there."
        case .refused(let what): return "\(place): \(what) is not allowed."
        case .badValue(let name, let value): return "\(place): \"\(value)\" is no value of \(name)."
        case .libraryNotLoaded(let library, let reason):
            return "\(library), which reads such texts, cannot be loaded\(reason.map { ": \($0)" } ?? ".")"
        }
    }

    /// What to type next.
    package var remedy: String {
        switch reason {
        case .text(let error): error.remedy
        case .tooLong(let limit) where limit >= 1 << 20: "Speak it in several parts."
        case .tooLong, .tooDeep, .expected, .unexpected, .refused, .badValue:
            "Correct that place, or leave the option away that says what kind of script it is."
        case .libraryNotLoaded(let library, _): MissingLibrary(name: library).remedy
        }
    }
}

extension TextError {
    /// What is wrong, and in which place.
    package var message: String {
        switch self {
        case .invalidUTF8(let offset, let byte):
            let digits = String(byte, radix: 16, uppercase: true)
            return
                "The text is not UTF-8: byte \(offset) is 0x\(byte < 16 ? "0" : "")\(digits), which cannot stand there."
        case .truncatedUTF8(let offset):
            return "The text ends inside a character: the one at byte \(offset) is not complete."
        case .utf16:
            return "The text is UTF-16, not UTF-8."
        }
    }

    /// What to type next.
    package var remedy: String {
        switch self {
        case .invalidUTF8: "If it is Latin-1, convert it first: iconv -f latin1 -t utf-8 FILE | synthhost speak"
        case .truncatedUTF8:
            "Pass the whole text, or leave the broken end out: iconv -c -t utf-8 FILE | synthhost speak"
        case .utf16: "Convert it first: iconv -f utf-16 -t utf-8 FILE | synthhost speak"
        }
    }
}

extension LexiconError {
    /// What is wrong, and in which line.
    package func message(_ path: String) -> String {
        let place = "Line \(line) of \(path)"
        return switch reason {
        case .text: "\(place) is not UTF-8."
        case .tooLong(let limit): "\(path) is longer than \(limit >> 20) MiB."
        case .noEqualsSign: "\(place) has no equals sign between a word and what is said for it."
        case .noWord: "\(place) has no word before the equals sign."
        case .noReplacement: "\(place) does not say what is said for the word."
        case .entryTooLong(let limit): "\(place) has a word or a replacement of more than \(limit) characters."
        case .badPronunciation(let text): "\(place): \(Wording.quoted(text)) is no pronunciation between two slashes."
        case .controlCharacter: "\(place) holds a control character."
        }
    }
}
