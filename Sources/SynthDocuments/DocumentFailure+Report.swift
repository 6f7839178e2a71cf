package import SynthSystem

/// A document that cannot be read, by its name.
package struct UnreadableDocument: ErrorCause, Equatable {
    package let name: String
    package let failure: DocumentFailure

    package init(_ name: String, _ failure: DocumentFailure) {
        self.name = name
        self.failure = failure
    }

    package var code: SpeechError.Code {
        switch failure {
        case .encrypted: .documentEncrypted
        case .unknownFormat: .documentUnsupported
        case .damaged, .excessive: .documentDamaged
        case .tooLarge: .documentTooLarge
        case .empty: .documentEmpty
        case .program: .documentNotRead
        }
    }

    package var facts: SpeechError.Facts {
        switch failure {
        case .damaged(let what): .init(path: name, reason: what)
        case .excessive(let excess):
            .init(path: name, line: excess.line > 0 ? excess.line : nil, limit: Int64(excess.limit))
        case .program(.notStarted(let code)): .init(path: name, errno: code)
        case .program(.crashed(let signal)): .init(path: name, signal: signal)
        default: .init(path: name)
        }
    }

    package var message: String { failure.message(of: name) }

    package var remedy: SpeechError.Remedy? {
        switch failure {
        case .encrypted: .useUnprotectedCopy
        case .unknownFormat: .convertDocument
        case .damaged: .replaceDocument
        case .tooLarge: .splitDocument
        case .excessive: .simplifyDocument
        case .empty: .useTextDocument
        case .program: .reportDocument
        }
    }
}

extension DocumentFailure {
    /// What is wrong with a document, in a sentence.
    ///
    /// - Parameter file: its name.
    package func message(of file: String) -> String {
        switch self {
        case .encrypted: "\(file) is encrypted, so nobody but the program that it was sold for can read it."
        case .unknownFormat: "\(file) is not a supported document: it is not EPUB, PDF, HTML, Markdown or plain text."
        case .damaged(let what): "\(file) cannot be read: it \(what)."
        case .tooLarge: "\(file) is larger than a document may be."
        case .excessive(let excess): excess.message(of: file)
        case .empty: "There is nothing to read in \(file)."
        case .program(.notStarted(let code)): "synthhost-read did not start: \(Errno(code))."
        case .program(.crashed(let signal)):
            "What reads documents crashed (\(signalName(signal))) while it read \(file)."
        case .program(.silent): "What reads documents hung while it read \(file)."
        case .program(.died): "What reads documents ended in the middle of \(file)."
        }
    }
}

extension DocumentFailure.Excess {
    fileprivate func message(of file: String) -> String {
        let place = [member.map { "in \($0)" }, line > 0 ? "line \(line)" : nil].compactMap { $0 }
        let spot = place.isEmpty ? "" : " (\(place.joined(separator: ", ")))"
        return switch kind {
        case .attributes: "\(file) has an element with more than \(limit) attributes\(spot)."
        case .namespaces: "\(file) has a place with more than \(limit) namespaces\(spot)."
        case .text:
            "The attributes and entities in a part of \(file) stand for more than \(ByteCount.words(Int64(limit))) of text\(spot)."
        }
    }
}
