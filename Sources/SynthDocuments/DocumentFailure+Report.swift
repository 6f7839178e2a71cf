package import SynthSystem

extension SpeechError {
    /// Describes why a document cannot be read.
    ///
    /// - Parameter name: the document's path, or "The file".
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
            (code, remedy) = (
                .documentNotRead, .prepareDocument("sudo apt install \(ConfinedProgram.pdfPages.package)")
            )
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
    /// Returns the error message.
    ///
    /// - Parameter file: the file name.
    package func message(of file: String) -> String {
        switch self {
        case .encrypted: "\(file) is encrypted. Only the e-book reader for which it was sold can open it."
        case .unknownFormat:
            "\(file) is not a supported document: it is not EPUB, PDF, DOCX, FB2, HTML, Markdown or plain text."
        case .damaged(let what): "\(file) cannot be read: it \(what)."
        case .tooLarge: "\(file) exceeds the maximum document size."
        case .excessive(let excess): excess.message(of: file)
        case .empty: "\(file) contains nothing to read."
        case .scanned: "The pages of \(file) are images without text."
        case .locked: "\(file) requires a password."
        case .programMissing(let program):
            "\(file) is a PDF, and \(program), which is needed to read PDFs, is not installed."
        case .foreign(let format): "\(file) is \(format.name), which synthhost cannot read."
        case .program(.notStarted(let code)): "synthhost-read did not start: \(Errno(code))."
        case .program(.crashed(let signal)):
            "The document reader crashed (\(signalName(signal))) while reading \(file)."
        case .program(.silent): "The document reader hung while reading \(file)."
        case .program(.died): "The document reader exited before it finished reading \(file)."
        }
    }
}

extension DocumentFailure.ExceededLimit {
    fileprivate func message(of file: String) -> String {
        let location = [member.map { "in \($0)" }, line > 0 ? "line \(line)" : nil].compactMap { $0 }
        let spot = location.isEmpty ? "" : " (\(location.joined(separator: ", ")))"
        return switch kind {
        case .attributes: "\(file) has an element with more than \(limit) attributes\(spot)."
        case .namespaces: "\(file) has an element with more than \(limit) namespaces\(spot)."
        case .text:
            "The attributes and entities in a part of \(file) expand to more than \(ByteCount.words(Int64(limit))) of text\(spot)."
        }
    }
}

/// An unsupported document format that another program can convert.
package struct ForeignFormat: Codable, Equatable, Sendable {
    /// The format's name for use within a sentence, such as "a Kindle book (MOBI)".
    package let name: String
    private let converter: Converter

    private enum Converter: String, Codable, Sendable {
        /// Calibre.
        case ebookConvert
        /// LibreOffice, with DOCX or PDF as the output format.
        case office
        case presentation
        /// DjVuLibre.
        case djvu
        /// Ghostscript.
        case postScript
    }

    /// Returns a shell command that converts a file in this format.
    package func command(converting path: String) -> String {
        let file = ShellWord.quoted(path)
        let stem =
            path.split(separator: "/").last.map { String($0.prefix(upTo: $0.lastIndex(of: ".") ?? $0.endIndex)) } ?? ""
        let name = stem.isEmpty ? "document" : stem
        return switch converter {
        case .ebookConvert: "ebook-convert \(file) \(ShellWord.quoted(name + ".epub"))"
        case .office: "soffice --headless --convert-to docx \(file)"
        case .presentation: "soffice --headless --convert-to pdf \(file)"
        case .djvu: "djvutxt \(file) \(ShellWord.quoted(name + ".txt"))"
        case .postScript: "ps2pdf \(file) \(ShellWord.quoted(name + ".pdf"))"
        }
    }

    /// - Parameters:
    ///   - bytes: the beginning of the file.
    ///   - members: the names of the members if the file is a ZIP archive.
    package init?(beginning bytes: [UInt8], members: [String] = []) {
        func has(_ text: String, at location: Int = 0) -> Bool { bytes.dropFirst(location).starts(with: text.utf8) }
        if has("BOOKMOBI", at: 60) || has("TEXtREAd", at: 60) {
            self.init("a Kindle book (MOBI or AZW)", .ebookConvert)
        } else if has("TPZ") || has("\u{EA}DRMION") || bytes.starts(with: [0xEA] + Array("DRMION".utf8)) {
            self.init("a Kindle book (AZW or KFX)", .ebookConvert)
        } else if has("ITOLITLS") {
            self.init("a book in Microsoft's LIT format", .ebookConvert)
        } else if has("ITSF") {
            self.init("a help file (CHM)", .ebookConvert)
        } else if bytes.starts(with: [0x4C, 0, 0x52, 0, 0x46, 0]) {
            self.init("a book in Sony's LRF format", .ebookConvert)
        } else if has("{\\rtf") {
            self.init("a Rich Text document (RTF)", .office)
        } else if has("AT&TFORM") {
            self.init("a DjVu document", .djvu)
        } else if has("%!PS") {
            self.init("a PostScript document", .postScript)
        } else if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self.init("an old Microsoft Office document (DOC, XLS or PPT)", .office)
        } else if members.contains(where: { $0.hasPrefix("ppt/") }) {
            self.init("a presentation (PPTX)", .presentation)
        } else if members.contains(where: { $0.hasPrefix("xl/") }) {
            self.init("a spreadsheet (XLSX)", .presentation)
        } else if members.contains("content.xml") {
            self.init("an OpenDocument file (ODT)", .office)
        } else if members.contains(where: { $0.hasPrefix("Contents/Section") || $0.hasPrefix("Contents/section") }) {
            self.init("a Hangul document (HWPX)", .office)
        } else {
            return nil
        }
    }

    private init(_ name: String, _ converter: Converter) {
        self.name = name
        self.converter = converter
    }
}
