import Glibc
package import SynthEngineWire
package import SynthSystem

/// Names and terms, from the user and from requests, that recognizers should expect and spell correctly.
package enum Vocabulary {
    /// The maximum number of words in a request, and the maximum length of a word in bytes.
    package static let (most, longest) = (500, 100)
    private static let largestFile = 1 << 20

    /// Reads a file with one word or phrase per line. Lines that begin with `#` are comments.
    ///
    /// - Throws: `fileNotReadable`, or `lexiconInvalid` with the number of the invalid line.
    package static func words(of path: String) throws(SpeechError) -> [String] {
        let bytes: [UInt8]
        do { bytes = try readWholeFile(path, limit: largestFile) } catch {
            throw .notReadable(path, error, remedy: .checkFile)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .wrongVocabulary(path, 1, "is not UTF-8")
        }
        var words: [String] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let word = plain(line)
            if word.isEmpty || word.hasPrefix("#") { continue }
            guard word.utf8.count <= longest else {
                throw .wrongVocabulary(path, number + 1, "has more than \(longest) bytes")
            }
            words.append(word)
            guard words.count <= most else {
                throw .wrongVocabulary(path, number + 1, "exceeds the limit of \(most) words")
            }
        }
        return words
    }

    /// Creates the hints for a recognizer, deduplicated and limited in number and length.
    ///
    /// - Parameters:
    ///   - prompt: the preceding text, or a sentence that contains names and terms.
    ///   - words: names and terms to expect.
    package static func hints(_ prompt: String?, _ words: [String]) -> RecognitionJobHints {
        var seen: Set<String> = []
        let known = words.map(plain).filter { !$0.isEmpty && $0.utf8.count <= longest && seen.insert($0).inserted }
        return RecognitionJobHints(
            context: prompt.flatMap { $0.isEmpty ? nil : $0 }, phrases: Array(known.prefix(most)))
    }

    private static func plain(_ text: some StringProtocol) -> String {
        text.split { $0.isWhitespace || $0.unicodeScalars.first?.properties.generalCategory == .control }
            .joined(separator: " ")
    }
}

extension HostSnapshot {
    /// Returns the user's own names and terms, or an empty array if the file does not exist.
    package func vocabulary() throws(SpeechError) -> [String] {
        let path = host.vocabularyPath
        return access(path, F_OK) == 0 ? try Vocabulary.words(of: path) : []
    }
}

extension SpeechError {
    /// - Parameter flaw: the rest of a message that begins with "Line 3 of words.txt".
    fileprivate static func wrongVocabulary(_ path: String, _ line: Int, _ flaw: String) -> SpeechError {
        SpeechError(
            .lexiconInvalid, "Line \(line) of \(path) \(flaw).", Facts(path: path, line: line),
            remedy: .correctLexicon(path))
    }
}
