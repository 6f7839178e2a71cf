import SynthEngineProcesses
import SynthEngineWire

/// Finds out which languages a user's model understands. The host cannot read its files, but its recognizer refuses a request in a
/// language that the model does not know.
struct KnownLanguages {
    private let lane: any HearingLane

    /// The tag of no language (ISO 639: no linguistic content). A recognizer that accepts it ignores the language of a request.
    private static let none = "zxx"
    /// A recognizer that needs longer for all requests does more than check their languages.
    private static let longest = Duration.seconds(10)

    init(_ lane: any HearingLane) { self.lane = lane }

    /// The candidates that the model understands; empty if its recognizer ignores the language. Blocks.
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

    /// nil = the recognizer failed for another reason.
    private func knows(_ language: String) -> Bool? {
        do {
            // Without any sound, only the request is checked.
            return try lane.listen(HearingRequest(language: language), to: ShortSilence(frames: 0)) { _ in true }
                ? true : nil
        } catch {
            if case .reported(let error) = error.reason, error.kind == .badRequest { return false }
            return nil
        }
    }
}
