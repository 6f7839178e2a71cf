import EngineKit

/// The word lists of a model, at most one of which is used for a text.
struct Lexica: Sendable {
    private let lexica: [Lexicon]

    /// A list that is missing or damaged is left out: its words are read by espeak-ng.
    init(paths: [String]) {
        lexica = paths.compactMap { path in
            do throws(EngineError) {
                return try Lexicon(path: path)
            } catch {
                EngineLog.warning("\(error.message) Its words are read without it: \(path)")
                return nil
            }
        }
    }

    /// The list for a variety of English; `nil` for any other language.
    func lexicon(for language: KokoroLanguage) -> Lexicon? {
        guard language.isEnglish else { return nil }
        return lexica.first { $0.variety == language } ?? lexica.first { $0.variety == nil }
    }
}
