import EngineKit
import Phonemes

/// The sentences of a request, one at a time.
struct SpokenText {
    private enum Source {
        case text(KokoroReader)
        case phonemes(SpokenSentence?)
    }

    private var source: Source

    init(_ request: SpeechRequest, lexicon: Lexicon?) throws(EngineError) {
        if request.kind == .phonemes {
            source = .phonemes(WrittenPhonemes.sentence(request.text))
            return
        }
        // The voice that is heard most decides how a blend reads.
        let voice = request.voices.max { $0.weight < $1.weight } ?? request.voice
        let language = try KokoroLanguage(voice: voice.id, tag: request.language)
        guard let reader = language.espeakVoice else {
            throw EngineError(
                .badRequest,
                "The voice “\(voice.id)” speaks \(language.name), which is not supported yet. Choose another voice.")
        }
        do throws(PhonemeError) {
            source = .text(try KokoroReader(request.text, language, voice: reader, lexicon: lexicon))
        } catch {
            throw KokoroFailure.of(error)
        }
    }

    /// Symbols that were left out so far.
    var unknown: [Unicode.Scalar: Int] {
        if case .text(let reader) = source { reader.unknown } else { [:] }
    }

    mutating func next() throws(EngineError) -> SpokenSentence? {
        switch source {
        case .text(var reader):
            defer { source = .text(reader) }
            do throws(PhonemeError) {
                return try reader.next()
            } catch {
                throw KokoroFailure.of(error)
            }
        case .phonemes(let sentence):
            source = .phonemes(nil)
            return sentence?.isSilent == false ? sentence : nil
        }
    }
}
