extension Voice {
    /// What people call it, told apart from others of its name: "English (America)".
    package var title: String { accent.map { "\(name) (\($0))" } ?? name }

    /// The speaker that a name means, or a number: speakers stand in the order of their numbers, which begin with 0.
    func speaker(called name: String) -> String? {
        if let speaker = speakers.first(where: { $0 == name }) { return speaker }
        if let speaker = speakers.first(where: { $0.lowercased() == name.lowercased() }) { return speaker }
        guard name.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(name) else { return nil }
        return speakers.indices.contains(number) ? speakers[number] : nil
    }
}
