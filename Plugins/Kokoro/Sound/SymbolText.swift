import EngineKit
import SynthEnglish
import SynthPhonemes
import SynthSymbols

/// Reads a request's sentences one at a time.
struct SymbolText {
    private enum Source {
        /// - Parameter shift: The byte offset of this part in the request's text.
        case text(KokoroReader, shift: Int)
        case phonemes(SpokenSentence)
    }

    /// The remaining parts of the text, in order.
    private var sources: [Source]
    /// The number of times that each unknown symbol was omitted.
    private(set) var unknown: [Unicode.Scalar: Int] = [:]

    init(_ request: SpeechRequest, lexicons: Lexicons, english: EnglishReaders) throws {
        if request.kind == .phonemes {
            sources = [.phonemes(WrittenPhonemes.sentence(request.text))]
            return
        }
        // For a blend, the voice with the highest weight determines the language.
        let voice = request.voices.max { $0.weight < $1.weight } ?? request.voice
        let language = try KokoroLanguage(voice: voice.id, tag: request.language)
        guard let reader = language.espeakVoice else {
            throw EngineError(
                .badRequest,
                "The voice \"\(voice.id)\" speaks \(language.name), which is not supported yet. Choose a different voice."
            )
        }
        let lexicon = lexicons.lexicon(for: language)
        let english = try english.reader(for: language)
        do {
            let parts =
                request.kind == .textAndPhonemes
                ? InlinePhonemes.parts(of: request.text)
                : [.init(text: request.text, isPhonemes: false, bytes: 0..<request.text.utf8.count)]
            sources = try parts.map { part throws(PhonemeError) in
                let shift = part.bytes.lowerBound
                guard part.isPhonemes else {
                    return .text(
                        try KokoroReader(part.text, language, voice: reader, lexicon: lexicon, english: english),
                        shift: shift)
                }
                var sentence = WrittenPhonemes.sentence(String(String.UnicodeScalarView(part.symbols)))
                // Words inside a phoneme block have no separate text positions, so each gets the position of the block.
                sentence.words = sentence.words.map { PhonemeWord(symbols: $0.symbols, bytes: part.bytes) }
                sentence.bytes = part.bytes
                return .phonemes(sentence)
            }
        } catch {
            throw KokoroFailure.of(error)
        }
    }

    mutating func next() throws -> SpokenSentence? {
        while let source = sources.first {
            switch source {
            case .text(var reader, let shift):
                do {
                    if let sentence = try reader.next() {
                        sources[0] = .text(reader, shift: shift)
                        return sentence.shifted(by: shift)
                    }
                } catch {
                    throw KokoroFailure.of(error)
                }
                unknown.merge(reader.unknown) { $0 + $1 }
                sources.removeFirst()
            case .phonemes(let sentence):
                sources.removeFirst()
                if !sentence.isSilent { return sentence }
            }
        }
        return nil
    }
}
