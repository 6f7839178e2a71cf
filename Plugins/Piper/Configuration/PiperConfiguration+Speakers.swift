import EngineKit

extension PiperConfiguration {
    /// The number of a speaker by its name or its number; of the default speaker if there is no name.
    func speaker(_ name: String?) throws(EngineError) -> Int64 {
        guard let name else { return default_speaker_id ?? 0 }
        let names = speaker_id_map ?? [:]
        if let number = names[name] { return number }
        if let number = Int64(name), (0..<speakerCount).contains(number) { return number }
        guard speakerCount > 1 else {
            throw EngineError(.badRequest, "This voice has one speaker and none called “\(name)”.")
        }
        let known = names.sorted { $0.value < $1.value }.map(\.key)
        let list =
            known.isEmpty
            ? "0 to \(speakerCount - 1)"
            : known.prefix(8).joined(separator: ", ") + (known.count > 8 ? " and \(known.count - 8) more" : "")
        throw EngineError(.badRequest, "This voice has no speaker “\(name)”. It has: \(list).")
    }
}
