package import SynthBooks
package import SynthDocuments
import SynthEngineProcesses
import SynthHost
import SynthSystem

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

    /// What to do about it, in a sentence.
    package var remedy: String {
        switch self {
        case .encrypted: "Use a copy without digital rights management."
        case .unknownFormat: "Convert it to one of these formats first."
        case .damaged: "Download it again, or open it in another program and save it anew."
        case .tooLarge: "Take its chapters out and speak them one by one."
        case .excessive: "No program that writes books does that; remove that part, or use another copy."
        case .empty: "A book of scanned pages has pictures only, and a page may be too deeply nested to be read."
        case .program: "`synthhost doctor` shows what is missing; please report the document if that does not help."
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

extension BookFailure {
    /// What happened, in a sentence.
    package var message: String {
        switch self {
        case .speech(let failure): failure.message
        case .audio(let error, _): error.message
        case .loudness(let error): error.message
        case .file(let path, let error): "\(path) cannot be used: \(error)."
        case .busy(let folder): "Another synthhost is at work in \(folder)."
        case .foreignFile(let path): "\(path) is there, and it was not made by this command."
        case .missing(let count, let chapter):
            "\(count) \(count == 1 ? "part" : "parts") of the book \(count == 1 ? "was" : "were") not spoken yet, "
                + "the first in chapter \(chapter)."
        case .cast(let line, let reason): "Line \(line) of the cast cannot be used: \(reason)."
        case .list(let line, let reason): "Line \(line) of the list cannot be used: \(reason)."
        case .text(let line, let failure): "Line \(line) of the list could not be spoken. \(failure.message)"
        case .missingTexts(let count, let line):
            "\(count) \(count == 1 ? "text" : "texts") of the list \(count == 1 ? "was" : "were") not spoken yet, the first on line "
                + "\(line)."
        case .empty: "There is nothing to say in what was chosen."
        case .converter(let reason): "ffmpeg could not make the audiobook: \(reason)"
        case .otherBook(let folder, let name, let authors, _):
            "\(folder) already holds files of something else: \(name)"
                + (authors.isEmpty ? "" : " by \(authors.joined(separator: ", "))") + ". Nothing was changed."
        }
    }

    /// What to do about it, in a sentence.
    package var remedy: String {
        switch self {
        case .speech(let failure): failure.remedy
        case .audio(let error, _): error.remedy
        case .loudness(let error): error.remedy
        case .file: "Choose a folder that you can write to, with room for the sound; the same command then goes on."
        case .busy: "Wait for it, or stop it: what it has made is kept."
        case .foreignFile: "Move it away, or name another folder with -o."
        case .missing:
            "Let every share end, and give --join the same voice and settings as --shard had. Without --join, the rest is spoken here."
        case .cast: "`synthhost book` with --cast writes one from the book, for you to give the voices."
        case .list:
            "Each line is an object of JSON, as in: {\"id\": \"0001\", \"text\": \"Hello\", \"voice\": \"Heart\"}"
        case .text(_, let failure): failure.remedy
        case .missingTexts:
            "Let every share end, and give --join the same voice and settings as --shard had. Without --join, the rest is spoken here."
        case .empty: "`synthhost book` with the file alone shows its chapters."
        case .converter: "All that was spoken is kept. A name that ends in .opus or .mp3 needs no ffmpeg."
        case .otherBook(_, _, let authors, true):
            "If it is the same book, repeat the author that its files name: "
                + "--author \(ShellWord.quoted(authors.joined(separator: ", "))). Otherwise choose another folder, with another -o."
        case .otherBook: "Choose another folder, with another -o."
        }
    }
}
