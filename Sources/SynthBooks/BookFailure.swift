package import SynthAudio
package import SynthSystem

/// The reason why a book or a batch could not be made. Finished parts are kept, and a new run resumes the work.
package enum BookFailure: Error, Sendable {
    case speech(SpeechError)
    /// An audio file could not be written. `path` is the output file's path.
    case audio(AudioError, path: String)
    case loudness(AudioError)
    /// A folder could not be created, or a record in it could not be read or written.
    case file(path: String, Errno)
    case busy(folder: String)
    /// The output file already exists, but it was not made for this book.
    case foreignFile(path: String)
    /// The folder contains the chapters of a different book or the files of a different list. `name` identifies that
    /// book or list.
    ///
    /// - Parameter mayBeSame: whether only the authors differ, for example because the user specified them on the command line.
    case otherBook(folder: String, name: String, authors: [String], mayBeSame: Bool)
    /// Some parts that other processes should have made are missing.
    case missing(count: Int, firstChapter: Int)
    case cast(line: Int, reason: String)
    /// A line in the list is invalid. The message gives the reason after the line number.
    case list(line: Int, reason: String)
    /// Synthesis failed for the text on a line in the list.
    case text(line: Int, SpeechError)
    /// Some list items that other processes should have made are missing.
    case missingItems(count: Int, firstLine: Int)
    /// The selected text contains nothing to speak.
    case empty
    /// ffmpeg could not be started, or it reported an error.
    case converter(reason: String)
}

extension BookFailure {
    /// Returns the error conversion for `rethrowing(…, as: BookFailure.ofFile(path))`.
    static func ofFile(_ path: String) -> (Errno) -> BookFailure {
        { .file(path: path, $0) }
    }

    /// Returns the error conversion for `rethrowing(…, as: BookFailure.ofAudio(path))`.
    static func ofAudio(_ path: String) -> (AudioError) -> BookFailure {
        { .audio($0, path: path) }
    }
}

extension FilesInUse {
    /// - Throws: `audio` if the program is reading the file at `path`, which must therefore not be overwritten.
    func check(_ path: String) throws {
        if let use = use(ofPath: path) {
            throw BookFailure.audio(.outputInUse(path: path, use, kept: nil), path: path)
        }
    }
}

extension BookFailure: ErrorCause {
    package var code: SpeechError.Code {
        switch self {
        case .speech(let error), .text(_, let error): error.code
        case .audio(let error, _), .loudness(let error): error.code
        case .file, .foreignFile, .otherBook: .bookFolderUnusable
        case .busy: .bookBusy
        case .missing, .missingItems: .bookIncomplete
        case .cast, .list: .bookListInvalid
        case .empty: .nothingToSay
        case .converter: .converterFailed
        }
    }

    package var facts: SpeechError.Facts {
        switch self {
        case .speech(let error): error.facts
        case .text(let line, let error):
            {
                var facts = error.facts
                facts.line = line
                return facts
            }()
        case .audio(let error, _), .loudness(let error): error.facts
        case .file(let path, let reason): .init(path: path, reason: "\(reason)", errno: reason.code)
        case .foreignFile(let path), .busy(let path): .init(path: path)
        case .otherBook(let folder, let name, let authors, _): .init(path: folder, name: name, candidates: authors)
        case .missing(let count, _): .init(count: count)
        case .empty: .init()
        case .cast(let line, let reason), .list(let line, let reason): .init(line: line, reason: reason)
        case .missingItems(let count, let line): .init(line: line, count: count)
        case .converter(let reason): .init(reason: reason)
        }
    }

    package var remedy: SpeechError.Remedy? {
        switch self {
        case .speech(let error), .text(_, let error): error.remedy
        case .audio(let error, _), .loudness(let error): error.remedy
        case .file: .chooseBookFolder
        case .busy: .waitForBook
        case .foreignFile: .moveFileAway
        case .missing, .missingItems: .finishShares
        case .cast: .writeCast
        case .list: .writeList
        case .empty: .showChapters
        case .converter: .chooseOtherBookFormat
        case .otherBook(_, _, let authors, true): .repeatAuthor(authors)
        case .otherBook: .chooseOtherBookFolder
        }
    }

    package var message: String {
        switch self {
        case .speech(let error): error.message
        case .audio(let error, _): error.message
        case .loudness(let error): error.message
        case .file(let path, let error): "\(path) cannot be used: \(error)."
        case .busy(let folder): "Another synthhost process is using \(folder)."
        case .foreignFile(let path): "\(path) already exists, and this command did not create it."
        case .missing(let count, let chapter):
            "\(count) \(count == 1 ? "part" : "parts") of the book \(count == 1 ? "has" : "have") not been spoken yet; "
                + "the first is in chapter \(chapter)."
        case .cast(let line, let reason): "Line \(line) of the cast is invalid: \(reason)."
        case .list(let line, let reason): "Line \(line) of the list is invalid: \(reason)."
        case .text(let line, let error): "Line \(line) of the list could not be spoken. \(error.message)"
        case .missingItems(let count, let line):
            "\(count) \(count == 1 ? "text" : "texts") in the list \(count == 1 ? "has" : "have") not been spoken yet; "
                + "the first is on line \(line)."
        case .empty: "The selected text contains nothing to speak."
        case .converter(let reason): "ffmpeg could not create the audiobook: \(reason)"
        case .otherBook(let folder, let name, let authors, _):
            "\(folder) already contains the files of a different book: \(name)"
                + (authors.isEmpty ? "" : " by \(authors.joined(separator: ", "))") + ". Nothing was changed."
        }
    }

    package var underlying: (any Error)? {
        switch self {
        case .speech(let error), .text(_, let error): error.cause
        case .audio(let error, _), .loudness(let error): error
        default: self
        }
    }
}
