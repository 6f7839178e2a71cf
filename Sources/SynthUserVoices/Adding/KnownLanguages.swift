import SynthEngineProcesses
import SynthEngineWire

/// Determines which languages a user's model supports. The host cannot interpret the model's files, but the recognizer rejects requests in
/// unsupported languages.
struct KnownLanguages {
    private let lane: any RecognitionLane

    /// The tag for "no linguistic content" (ISO 639-2). A recognizer that accepts it ignores the requested language.
    private static let none = "zxx"
    /// The time limit for all requests together. A recognizer that takes longer does more work than checking the language.
    private static let longest = Duration.seconds(10)

    init(_ lane: any RecognitionLane) { self.lane = lane }

    /// Returns the candidates that the model supports, or none if its recognizer ignores the language. Blocks.
    ///
    /// - Parameter candidates: BCP 47 tags.
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

    /// Whether the model supports the language, or nil if the recognizer fails for another reason.
    private func knows(_ language: String) -> Bool? {
        do {
            // A request without audio is only validated.
            return try lane.listen(RecognitionJob(language: language), to: ShortSilence(frames: 0)) { _ in true }
                ? true : nil
        } catch {
            if case .reported(let error) = error.reason, error.kind == .badRequest { return false }
            return nil
        }
    }
}
