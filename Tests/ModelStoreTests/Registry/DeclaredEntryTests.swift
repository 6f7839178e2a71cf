import Testing

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Registry entries for voices that engines declare")
struct DeclaredEntryTests {
    private static let sha = String(repeating: "0a", count: 32)

    @Test("Declared voices are included, and voices of different engines are distinguished")
    func declared() throws {
        func declared(_ model: String?) -> DeclaredVoice {
            DeclaredVoice(
                id: "default", name: "Default", language: "en", model: model,
                files: [
                    .init(role: "model", isShared: true, url: "https://e.example/m.bin", sha256: Self.sha, size: 9),
                    .init(role: "style", isShared: false, url: "https://e.example/s.bin", sha256: Self.sha, size: 3),
                ])
        }
        let one = try Voice(declared("big"), by: "one")
        let two = try Voice(declared("big"), by: "two")
        let alone = try Voice(declared(nil), by: "three")
        #expect(one.entries.map(\.folder) == ["one.big", "one.default"])
        #expect(two.entries.map(\.folder) == ["two.big", "two.default"])
        #expect(alone.entries.map { $0.files.map(\.role) } == [["model", "style"]])
        var registry = Registry()
        registry.add([one, two, alone, one])
        #expect(registry.voices.count == 3)
    }
}
