/// Values for voices that somebody listed by what they call them, as `VoiceNames` reads it.
package struct VoiceTable<Value: Sendable>: Sendable {
    private let values: [String: [Value]]

    package init(_ values: [String: Value]) {
        guard !values.isEmpty else {
            self.values = [:]
            return
        }
        // Sorted, so that names that differ in case only count in the same order in every run.
        let folded = values.sorted { $0.key < $1.key }.map { (VoiceMatch.folded($0.key), [$0.value]) }
        self.values = Dictionary(folded, uniquingKeysWith: +)
    }

    /// The values of a voice, those of the strictest name first: its key, then id, title, name, aliases.
    package func values(of voice: Voice) -> [Value] {
        values.isEmpty ? [] : voice.foldedNames.flatMap { values[$0] ?? [] }
    }
}
