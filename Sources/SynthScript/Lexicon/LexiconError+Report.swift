package import SynthSystem

extension LexiconError: ErrorCause {
    package var code: SpeechError.Code { .lexiconInvalid }
    package var facts: SpeechError.Facts { .init(path: path, line: line) }
    package var remedy: SpeechError.Remedy? { .correctLexicon(path) }

    package var message: String {
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
