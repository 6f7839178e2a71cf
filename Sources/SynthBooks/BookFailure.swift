package import SynthAudio
package import SynthSystem

/// Why a book could not be made. What was made before stays, and the same call goes on after it.
package enum BookFailure: Error, Sendable {
    case speech(SpeechError)
    /// The path of what was to be written.
    case audio(AudioError, path: String)
    case loudness(AudioError)
    /// A folder could not be made, or a record in it not be read or written.
    case file(path: String, Errno)
    /// Another process makes this book.
    case busy(folder: String)
    /// There is such a file, and it was not made for this book.
    case foreignFile(path: String)
    /// The folder has the chapters of another book, or the files of another list; its name.
    ///
    /// - Parameter mayBeSame: only the authors differ, and may have been given with the command.
    case otherBook(folder: String, name: String, authors: [String], mayBeSame: Bool)
    /// Parts are missing that were to be made already, by others.
    case missing(count: Int, firstChapter: Int)
    /// A line of a cast is not as it has to be.
    case cast(line: Int, reason: String)
    /// A line of a list is not as it has to be; why, to follow the number of the line.
    case list(line: Int, reason: String)
    /// The text on a line of a list could not be spoken.
    case text(line: Int, SpeechError)
    /// Texts of a list are missing that were to be made already, by others.
    case missingTexts(count: Int, firstLine: Int)
    /// There is nothing to say in it.
    case empty
    /// ffmpeg did not start, or says what is wrong.
    case converter(reason: String)
}
