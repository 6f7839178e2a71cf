package import SynthScript
import SynthSystem

/// Custom pronunciations for words, in all languages or in one.
///
///     gif = jif
///     en: nginx = engine x
///     Dr. Who = Doctor Who
///     Siobhan = /ʃɪvˈɔːn/
///
/// Each line contains one or more words, `=`, and their pronunciation: other words, or IPA between slashes. If an
/// engine does not support phonemes, it speaks the word as written, and a `SpeechNotice` reports the deviation. Lines
/// that begin with `#` are comments.
public final class SpeechLexicon: Sendable, Hashable {
    package let lexicon: Lexicon
    /// The paths of the lexicon files.
    package let paths: [String]

    /// Parses a lexicon.
    ///
    /// - Throws: `lexiconInvalid` with the number of the invalid line.
    public convenience init(_ text: String) throws(SpeechError) {
        try self.init(Array(text.utf8), name: "")
    }

    /// Reads a lexicon from a file.
    ///
    /// - Parameter path: the path of the file.
    /// - Throws: `lexiconInvalid` with the number of the invalid line, or `fileNotReadable` if the file cannot be read.
    public convenience init(contentsOf path: String) throws(SpeechError) {
        try self.init(path: path)
    }

    /// Reads a lexicon from a file.
    ///
    /// - Parameter below: a lexicon with lower precedence than the file.
    package convenience init(path: String, below: SpeechLexicon? = nil) throws(SpeechError) {
        let file = try rethrowing(
            Descriptor.openRegular(path).file, as: { (error: Errno) in SpeechError.notReadable(path, error) })
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
