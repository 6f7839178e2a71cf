import EngineProcesses
import EngineWire
import Recognizers

/// Finds out which languages a model of the user's own understands. Its files alone do not tell it to the host; its recognizer refuses
/// a request in a language that the model does not know.
struct KnownLanguages {
    private let lane: any HearingLane

    /// No language is called that (ISO 639: no linguistic content). A recognizer that takes it looks at no language.
    private static let none = "zxx"
    /// A recognizer that needs longer to refuse so many languages does more than look at them.
    private static let longest = Duration.seconds(10)

    init(_ lane: any HearingLane) { self.lane = lane }

    /// Those of the languages that it understands; empty if its recognizer does not tell. Blocks.
    ///
    /// - Parameter candidates: BCP-47.
    func all(of candidates: [String]) -> [String] {
        guard !candidates.isEmpty, knows(Self.none) == false else { return [] }
        let deadline = ContinuousClock.now + Self.longest
        var known: [String] = []
        for language in candidates {
            guard .now < deadline, let isKnown = knows(language) else { return [] }
            if isKnown { known.append(language) }
        }
        return known
    }

    /// nil = the recognizer failed otherwise.
    private func knows(_ language: String) -> Bool? {
        do {
            // There is nothing to understand, only the request to check.
            return try lane.listen(HearingRequest(language: language), to: ShortSilence(frames: 0)) { _ in true }
                ? true : nil
        } catch {
            if case .reported(let error) = error.reason, error.kind == .badRequest { return false }
            return nil
        }
    }
}
