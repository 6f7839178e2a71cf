extension Voice {
    /// The name shown to people, with the accent to distinguish voices of the same name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// Its name in the configuration, "kokoro/af_heart": no other voice has it, and it stays when what people call the
    /// voice changes.
    package var key: String { "\(engine)/\(id)" }

    /// Whether the name means this voice: its key, id, title, name or an alias. Case does not matter.
    package func isCalled(_ name: String) -> Bool { foldedNames.contains(VoiceMatch.folded(name)) }

    /// What it may be called, the strictest first, each once.
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
