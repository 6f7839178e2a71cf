package import SynthScript
import SynthSystem

/// Words that are said otherwise than they are written, in every language or in one.
///
///     gif = jif
///     en: nginx = engine x
///     Dr. Who = Doctor Who
///     Siobhan = /ʃɪvˈɔːn/
///
/// One entry a line: a word or several, `=`, and what is said: other words, or IPA between slashes. An engine that takes no
/// phonemes speaks the word as it is written, and a `SpeechNotice` tells of it. Lines that begin with `#` are comments.
public final class SpeechLexicon: Sendable, Hashable {
    package let lexicon: Lexicon
    /// Of the files that it is from.
    package let paths: [String]

    /// - Throws: `lexiconInvalid` with the line that is wrong.
    public convenience init(_ text: String) throws(SpeechError) {
        try self.init(Array(text.utf8), name: "")
    }

    /// - Parameter path: of a file.
    /// - Throws: `lexiconInvalid` with the line that is wrong, `fileNotReadable` if the file cannot be read.
    public convenience init(contentsOf path: String) throws(SpeechError) {
        try self.init(path: path)
    }

    /// Opens a file.
    ///
    /// - Parameter below: entries that those of the file go before.
    package convenience init(path: String, below: SpeechLexicon? = nil) throws(SpeechError) {
        let file: Descriptor
        do {
            file = try Descriptor.openRegular(path).file
        } catch {
            throw .notReadable(path, error)
        }
        let bytes: [UInt8]
        do {
            bytes = try ScriptFile.read(file, name: path)
        } catch {
            guard let error = error.cause as? ScriptError, case .tooLong(let limit) = error.reason else { throw error }
            throw .lexiconTooLong(path, limit: limit)
        }
        try self.init(bytes, name: path, below: below)
    }

    private init(_ bytes: [UInt8], name: String, below: SpeechLexicon? = nil) throws(SpeechError) {
        var lexicon = below?.lexicon ?? Lexicon()
        try lexicon.add(bytes.span, of: name)
        self.lexicon = lexicon
        paths = (below?.paths ?? []) + (name.isEmpty ? [] : [name])
    }

    public static func == (one: SpeechLexicon, other: SpeechLexicon) -> Bool { one === other }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
