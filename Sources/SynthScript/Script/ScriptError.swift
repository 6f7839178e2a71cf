package import SynthSystem

/// Describes why a document is not a valid script and where the error is.
package struct ScriptError: Error, Equatable {
    /// Why a document is invalid.
    package enum Reason: Equatable, Sendable {
        /// Invalid UTF-8, or a character that text must not contain.
        case text(SpeechError)
        /// The script, or a name in it, is too long. The limit is in bytes.
        case tooLong(limit: Int)
        /// Elements, quotations or lists are nested too deeply.
        case tooDeep(limit: Int)
        /// Markup that is missing at the position, written as in the script, such as `</voice>`.
        case expected(String)
        /// Markup that is not allowed at the position, written as in the script.
        case unexpected(String)
        /// A declaration, an entity or an instruction that is not supported.
        case refused(String)
        /// An invalid attribute value, such as the time of a break.
        case badValue(of: String, value: String)
        /// The library that parses the format is not installed or its version is not supported. The second value is the
        /// loader's message. Thrown only when a reader is created; the document is not the cause.
        case libraryNotLoaded(String, String?)
    }

    package let reason: Reason
    /// The position of the first invalid character.
    package let place: ScriptPosition

    package init(_ reason: Reason, at place: ScriptPosition) {
        self.reason = reason
        self.place = place
    }
}

/// A position in a document, as shown in an editor.
package struct ScriptPosition: Equatable, Sendable {
    /// The line number, starting at 1.
    package let line: Int
    /// The column in Unicode scalars, starting at 1.
    package let column: Int
    /// The byte offset, starting at 0.
    package let offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }

    package static let start = ScriptPosition(line: 1, column: 1, offset: 0)

    /// Finds the line and column of a byte offset. The end of the document is a valid offset.
    package init(of offset: Int, in document: Span<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, document.count) {
            let byte = document[index]
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(line: line, column: column, offset: min(offset, document.count))
    }
}

/// Size limits and checks for documents that are read into memory.
package enum ScriptDocument {
    /// The maximum size of a document in bytes, many times the size of the longest novel.
    static let longest = 16 << 20

    /// Checks the length and encoding of a document.
    ///
    /// - Returns: the offset of the text: 3 if the document starts with a byte order mark, and otherwise 0.
    package static func check(_ document: Span<UInt8>) throws(ScriptError) -> Int {
        guard document.count <= longest else {
            throw ScriptError(.tooLong(limit: longest), at: ScriptPosition(of: longest, in: document))
        }
        try checkEncoding(document)
        let hasMark = document.count >= 3 && document[0] == 0xEF && document[1] == 0xBB && document[2] == 0xBF
        return hasMark ? 3 : 0
    }

    static func checkEncoding(_ document: Span<UInt8>) throws(ScriptError) {
        var validator = UTF8Validator()
        do {
            try validator.validate(document)
            try validator.finish()
        } catch {
            throw ScriptError(.text(error), at: ScriptPosition(of: validator.offset, in: document))
        }
    }
}

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
        case .tooLong(let limit) where limit < 1 << 20: return "\(place): this text is too long."
        case .tooLong(let limit): return "The script is larger than \(limit >> 20) MiB."
        case .tooDeep(let limit): return "\(place): elements are nested more than \(limit) levels deep."
        case .expected(let what): return "\(place): \(what) is missing."
        case .unexpected(let what): return "\(place): \(what) is not allowed here."
        case .refused(let what): return "\(place): \(what) is not allowed."
        case .badValue(let name, let value): return "\(place): \"\(value)\" is not a valid value for \(name)."
        case .libraryNotLoaded(let library, let reason):
            return
                "\(library), which is needed to read Markdown, cannot be loaded"
                + "\(reason.map { ": \(Wording.clause($0))" } ?? "")."
        }
    }
}
