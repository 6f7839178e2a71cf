package import SynthSystem

extension ScriptError: ErrorCause {
    package var code: SpeechError.Code {
        switch reason {
        case .text: .textInvalid
        case .libraryNotLoaded: .libraryMissing
        case .tooLong, .tooDeep, .expected, .unexpected, .refused, .badValue: .scriptInvalid
        }
    }

    package var facts: SpeechError.Facts {
        var facts = SpeechError.Facts(line: place.line, column: place.column, byte: place.offset)
        switch reason {
        case .text(let error): return error.facts
        case .tooLong(let limit), .tooDeep(let limit): facts.limit = Int64(limit)
        case .expected(let what), .unexpected(let what), .refused(let what): facts.name = what
        case .badValue(let name, let value): (facts.name, facts.reason) = (name, value)
        case .libraryNotLoaded(let library, let reason): return .init(library: library, reason: reason)
        }
        return facts
    }

    package var remedy: SpeechError.Remedy? {
        switch reason {
        case .text(let error): error.remedy
        case .tooLong(let limit) where limit >= 1 << 20: .splitText
        case .tooLong, .tooDeep, .expected, .unexpected, .refused, .badValue: .correctScript
        case .libraryNotLoaded(let library, _): .installLibrary(library)
        }
    }

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
            return
                "\(library), which reads Markdown, cannot be loaded\(reason.map { ": \(Wording.clause($0))" } ?? "")."
        }
    }
}
