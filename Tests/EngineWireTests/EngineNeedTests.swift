import SynthEngineWire
import Testing

@Suite("The word for what an engine asks its user for")
struct EngineNeedTests {
    @Test(
        "is read as it was written",
        arguments: ["network", "executable-memory", "device:/dev/dri", "folder:/opt/a:b", "folder:/opt/..a/b.."])
    func roundTrip(word: String) { #expect(EngineNeed.Kind(word: word)?.word == word) }

    /// The kernel reads bytes: an accent after a slash hides it only from who reads characters.
    @Test(
        "is refused without its path, and with one that leads elsewhere",
        arguments: [
            "", "network:/a", "device", "device:/devices", "device:dev/a", "folder:a", "folder:/a/../b", "folder:/..",
            "device:/dev/../\u{301}a", "device:/dev/.", "folder:/a/./b", "device:/dev/shm", "device://dev//mqueue/a",
            "folder:/a\0/b", "folder:/\(String(repeating: "a", count: 4095))",
        ])
    func strange(word: String) { #expect(EngineNeed.Kind(word: word) == nil) }

    @Test("is another one if its path is spelled otherwise")
    func spelling() {
        let kinds = ["folder:/opt/\u{E9}", "folder:/opt/e\u{301}"].map { EngineNeed.Kind(word: $0) }
        #expect(kinds[0] != kinds[1] && !kinds.contains(nil))
        #expect(Set(kinds).count == 2)
    }
}
