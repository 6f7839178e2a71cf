package import SynthSystem

extension SpeechError {
    /// Why a document cannot be read.
    ///
    /// - Parameter name: what people call it: its path, or "The file".
    package init(document name: String, _ failure: DocumentFailure) {
        var facts = Facts(path: name)
        let (code, remedy): (Code, Remedy)
        switch failure {
        case .encrypted: (code, remedy) = (.documentEncrypted, .useUnprotectedCopy)
        case .unknownFormat: (code, remedy) = (.documentUnsupported, .convertDocument)
        case .damaged(let what):
            (code, remedy) = (.documentDamaged, .replaceDocument)
            facts.reason = what
        case .tooLarge: (code, remedy) = (.documentTooLarge, .splitDocument)
        case .excessive(let excess):
            (code, remedy) = (.documentDamaged, .simplifyDocument)
            facts.line = excess.line > 0 ? excess.line : nil
            facts.limit = Int64(excess.limit)
        case .empty: (code, remedy) = (.documentEmpty, .useTextDocument)
        case .scanned:
            (code, remedy) = (.documentEmpty, .prepareDocument("ocrmypdf \(ShellWord.quoted(name)) readable.pdf"))
        case .locked: (code, remedy) = (.documentEncrypted, .removePassword)
        case .programMissing:
            (code, remedy) = (.documentNotRead, .prepareDocument("sudo apt install \(PDFProgram.package)"))
        case .foreign(let format):
            (code, remedy) = (.documentUnsupported, .prepareDocument(format.command(converting: name)))
        case .program(let end):
            (code, remedy) = (.documentNotRead, .reportDocument)
            switch end {
            case .notStarted(let error): facts.errno = error
            case .crashed(let signal): facts.signal = signal
            default: break
            }
        }
        self.init(code, failure.message(of: name), facts, remedy: remedy, cause: failure)
    }
}

extension DocumentFailure {
    /// What is wrong with a document, in a sentence.
    ///
    /// - Parameter file: its name.
    package func message(of file: String) -> String {
        switch self {
        case .encrypted: "\(file) is encrypted, so nobody but the program that it was sold for can read it."
        case .unknownFormat:
            "\(file) is not a supported document: it is not EPUB, PDF, DOCX, FB2, HTML, Markdown or plain text."
        case .damaged(let what): "\(file) cannot be read: it \(what)."
        case .tooLarge: "\(file) is larger than a document may be."
        case .excessive(let excess): excess.message(of: file)
        case .empty: "There is nothing to read in \(file)."
        case .scanned: "The pages of \(file) are pictures without text."
        case .locked: "\(file) needs a password."
        case .programMissing(let program): "\(file) is a PDF, and \(program), which reads PDFs, is not installed."
        case .foreign(let format): "\(file) is \(format.name), which synthhost cannot read."
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
