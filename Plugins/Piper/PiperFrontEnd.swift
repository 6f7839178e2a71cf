import EngineKit
import SynthPhonemes
import SynthSymbols

/// Converts text to the symbols that a voice was trained on.
struct PiperFrontEnd: Sendable {
    private enum Source: Sendable {
        case espeak(EspeakPhonemizer)
        case letters
    }

    private let source: Source
    let map: PhonemeIDMap
    /// The number of silent frames after a symbol. Sentences are split after each of these symbols.
    let silences: [Unicode.Scalar: Int]

    /// - Parameter voice: The voice's name, for error messages.
    init(_ configuration: PiperConfiguration, voice: String) throws(EngineError) {
        switch configuration.phoneme_type ?? "espeak" {
        case "espeak": source = .espeak(EspeakPhonemizer(voice: configuration.espeakVoice))
        case "text": source = .letters
        case let other:
            throw EngineError(
                .failed,
                "The voice \"\(voice)\" converts text with \"\(other)\", which is not supported yet. Choose a different voice."
            )
        }
        do {
            map = try PhonemeIDMap(
                configuration.phoneme_id_map, replacements: configuration.phoneme_map ?? [:],
                clusters: configuration.vowel_clusters ?? [])
        } catch {
            throw PiperFailure.of(error)
        }
        var silences: [Unicode.Scalar: Int] = [:]
        for (symbol, seconds) in configuration.inference?.phoneme_silence ?? [:] {
            guard let scalar = symbol.unicodeScalars.first, seconds > 0, seconds <= 10 else { continue }
            silences[scalar] = Int(seconds * Double(configuration.sampleRate))
        }
        self.silences = silences
    }

    /// Starts espeak-ng so that the first request need not wait for it.
    func prepare() {
        // The first request reports the error.
        if case .espeak(let phonemizer) = source { _ = try? phonemizer.sentences(of: "a") }
    }

    func sentences(of request: SpeechRequest) throws(EngineError) -> [PhonemeSentence] {
        do {
            switch (source, request.kind) {
            case (.espeak(let phonemizer), .text):
                return try phonemizer.sentences(of: spoken(request))
            case (.espeak, .phonemes): return [VerbatimPhonemes.sentence(ofPhonemes: request.text)]
            case (.espeak(let phonemizer), .textAndPhonemes):
                return try phonemizer.sentences(of: request.text, readingInlinePhonemes: true)
            case (.letters, .text): return [VerbatimPhonemes.sentence(ofLetters: request.text)]
            case (.letters, .phonemes), (.letters, .textAndPhonemes): break
            }
        } catch {
            throw PiperFailure.of(error)
        }
        throw EngineError(.badRequest, "This voice converts letters directly to speech and does not accept phonemes.")
    }

    /// Returns the text to pass to espeak-ng. Word positions in it are the same as in the request.
    private func spoken(_ request: SpeechRequest) -> String {
        request.kind == .text ? EllipsisPauses.marked(request.text) : request.text
    }

    /// Returns all words of each clause that contains at least one of these symbols.
    func words(
        of sentence: PhonemeSentence, around symbols: Range<Int>, in request: SpeechRequest
    ) throws(EngineError) -> [PhonemeWord] {
        guard case .espeak(let phonemizer) = source else {
            return VerbatimPhonemes.words(of: sentence, around: symbols)
        }
        do {
            return try phonemizer.words(of: sentence, around: symbols, in: spoken(request))
        } catch {
            throw PiperFailure.of(error)
        }
    }
}

/// Adds a comma-length pause at an ellipsis within a sentence. Piper's voices were trained without an ellipsis symbol,
/// so the adjacent words would run together ("so…maybe").
enum EllipsisPauses {
    private static let dot = UInt8(ascii: ".")
    private static let space = UInt8(ascii: " ")
    /// U+2026 in UTF-8.
    private static let ellipsis: [UInt8] = [0xE2, 0x80, 0xA6]

    /// Returns the text with each ellipsis between words replaced by a comma and spaces. All other bytes keep their
    /// positions.
    static func marked(_ text: String) -> String {
        guard text.contains("…") || text.contains("...") else { return text }
        var bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            let end = endOfEllipsis(in: bytes, from: index)
            if end > index {
                // espeak-ng handles an ellipsis at the end of the text or before other punctuation.
                if index > 0, isWord(bytes[index - 1]), let next = bytes[end...].first(where: { $0 != space }),
                    isWord(next)
                {
                    bytes[index] = UInt8(ascii: ",")
                    for position in index + 1..<end { bytes[position] = space }
                }
                index = end
            } else {
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The end of an ellipsis: three or more periods, or one or more ellipsis characters.
    private static func endOfEllipsis(in bytes: [UInt8], from start: Int) -> Int {
        var end = start
        while bytes[end...].starts(with: ellipsis) { end += ellipsis.count }
        if end > start { return end }
        while end < bytes.count, bytes[end] == dot { end += 1 }
        return end - start >= 3 ? end : start
    }

    /// Whether the byte belongs to a letter or a digit. All non-ASCII bytes are considered letters.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...0xE1, 0xE3...0xFF: true
        default: false
        }
    }
}
