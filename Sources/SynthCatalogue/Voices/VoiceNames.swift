extension Voice {
    /// The display name, including the accent, which distinguishes voices with the same name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// The voice's unique name in the configuration, "kokoro/af_heart". It does not depend on the display name.
    package var key: String { "\(engine)/\(id)" }

    /// Whether a name refers to this voice: its key, id, title, name or an alias, ignoring case.
    package func isCalled(_ name: String) -> Bool { foldedNames.contains(VoiceMatch.folded(name)) }

    /// All names of the voice, most specific first, without duplicates.
    var foldedNames: [String] {
        var names: [String] = []
        for name in [key, id, title, name] + aliases {
            let folded = VoiceMatch.folded(name)
            if !names.contains(folded) { names.append(folded) }
        }
        return names
    }

    /// The speaker with this name, or with this index, starting at 0.
    func speaker(called name: String) -> String? {
        if let speaker = speakers.first(where: { $0 == name }) { return speaker }
        if let speaker = speakers.first(where: { $0.lowercased() == name.lowercased() }) { return speaker }
        guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name) else { return nil }
        return speakers.indices.contains(number) ? speakers[number] : nil
    }
}

/// A list of voices, each identified by a name.
///
/// An entry is a voice's key, id, title, name or alias. A name that several voices share refers to all of them.
package struct VoiceNames: Equatable, Sendable {
    private let folded: Set<String>

    package init(_ names: some Sequence<String> = [String]()) { folded = Set(names.map(VoiceMatch.folded)) }

    /// The names that do not match any of the voices.
    package static func strays(_ names: [String], among voices: [Voice]) -> [String] {
        let known = Set(voices.flatMap(\.foldedNames))
        return names.filter { !known.contains(VoiceMatch.folded($0)) }
    }

    package func contains(_ voice: Voice) -> Bool {
        !folded.isEmpty && voice.foldedNames.contains(where: folded.contains)
    }
}

/// Values for voices that are listed by name, as in `VoiceNames`.
package struct NameTable<Value: Sendable>: Sendable {
    private let values: [String: [Value]]

    package init(_ values: [String: Value]) {
        guard !values.isEmpty else {
            self.values = [:]
            return
        }
        // Sort the names so that names that differ only in case are processed in a deterministic order.
        let folded = values.sorted { $0.key < $1.key }.map { (VoiceMatch.folded($0.key), [$0.value]) }
        self.values = Dictionary(folded, uniquingKeysWith: +)
    }

    /// The values for a voice, in the order of its names, most specific first: key, id, title, name, aliases.
    package func values(of voice: Voice) -> [Value] {
        values.isEmpty ? [] : voice.foldedNames.flatMap { values[$0] ?? [] }
    }
}
