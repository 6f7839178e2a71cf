/// How a sign is called, and from which mode on it is told inside a text.
struct SymbolName: Sendable {
    let name: String
    let level: ModuleSettings.Punctuation

    init(_ name: String, _ level: ModuleSettings.Punctuation) {
        self.name = name
        self.level = level
    }
}
