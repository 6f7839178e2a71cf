import SpeechScript

extension ScriptError {
    /// What is wrong, and in which place.
    var message: String {
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
        }
    }

    /// What to type next.
    var remedy: String {
        switch reason {
        case .text(let error): error.remedy
        case .tooLong(let limit) where limit >= 1 << 20: "Speak it in several parts."
        case .tooLong, .tooDeep, .expected, .unexpected, .refused, .badValue:
            "Correct that place, or leave the option away that says what kind of script it is."
        }
    }
}
