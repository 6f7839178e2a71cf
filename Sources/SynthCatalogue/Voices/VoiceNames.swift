extension Voice {
    /// The name shown to people, with the accent to distinguish voices of the same name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// Its unique name in the configuration, "kokoro/af_heart", which does not change when the display name changes.
    package var key: String { "\(engine)/\(id)" }

    /// Whether the name means this voice: its key, id, title, name or an alias. Case does not matter.
    package func isCalled(_ name: String) -> Bool { foldedNames.contains(VoiceMatch.folded(name)) }

    /// All names of the voice, the strictest first, without duplicates.
    var foldedNames: [String] {
        var names: [String] = []
        for name in [key, id, title, name] + aliases {
            let folded = VoiceMatch.folded(name)
            if !names.contains(folded) { names.append(folded) }
        }
        return names
    }

    /// The speaker of this name or number. Speakers are numbered in order, from 0.
    func speaker(called name: String) -> String? {
        if let speaker = speakers.first(where: { $0 == name }) { return speaker }
        if let speaker = speakers.first(where: { $0.lowercased() == name.lowercased() }) { return speaker }
        guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name) else { return nil }
        return speakers.indices.contains(number) ? speakers[number] : nil
    }
}

/// A list of voices by name.
///
/// An entry is the name of a voice on its own: its key, id, title, name or an alias. A name that several voices share
/// means all of them.
package struct VoiceNames: Equatable, Sendable {
    private let folded: Set<String>

    package init(_ names: some Sequence<String> = [String]()) { folded = Set(names.map(VoiceMatch.folded)) }

    /// The names that match none of the voices.
    package static func strays(_ names: [String], among voices: [Voice]) -> [String] {
        let known = Set(voices.flatMap(\.foldedNames))
        return names.filter { !known.contains(VoiceMatch.folded($0)) }
    }

    package func contains(_ voice: Voice) -> Bool {
        !folded.isEmpty && voice.foldedNames.contains(where: folded.contains)
    }
}

/// Values for voices that are listed by name, as in `VoiceNames`.
package struct VoiceTable<Value: Sendable>: Sendable {
    private let values: [String: [Value]]

    package init(_ values: [String: Value]) {
        guard !values.isEmpty else {
            self.values = [:]
            return
        }
        // Sorted, so that names that differ only by case are always processed in the same order.
        let folded = values.sorted { $0.key < $1.key }.map { (VoiceMatch.folded($0.key), [$0.value]) }
        self.values = Dictionary(folded, uniquingKeysWith: +)
    }

    /// The values for a voice, in the order of its names, the strictest first: its key, then id, title, name, aliases.
    package func values(of voice: Voice) -> [Value] {
        values.isEmpty ? [] : voice.foldedNames.flatMap { values[$0] ?? [] }
    }
}
