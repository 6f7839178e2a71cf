extension Voice {
    /// The name shown to people, with the accent to distinguish voices of the same name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// The speaker of this name or number. Speakers are numbered in order, from 0.
    func speaker(called name: String) -> String? {
        if let speaker = speakers.first(where: { $0 == name }) { return speaker }
        if let speaker = speakers.first(where: { $0.lowercased() == name.lowercased() }) { return speaker }
        guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name) else { return nil }
        return speakers.indices.contains(number) ? speakers[number] : nil
    }
}
