import SynthEngineWire
import Testing

@Suite("The text encoding of a need")
struct EngineNeedTests {
    @Test(
        "Needs survive encoding and decoding",
        arguments: ["network", "executable-memory", "device:/dev/dri", "folder:/opt/a:b", "folder:/opt/..a/b.."])
    func roundTrip(word: String) { #expect(EngineNeed.Kind(word: word)?.word == word) }

    /// The kernel compares bytes. In a comparison by character, a combining accent after a slash would hide the slash.
    @Test(
        "Needs with a missing, unexpected or unsafe path are rejected",
        arguments: [
            "", "network:/a", "device", "device:/devices", "device:dev/a", "folder:a", "folder:/a/../b", "folder:/..",
            "device:/dev/../\u{301}a", "device:/dev/.", "folder:/a/./b", "device:/dev/shm", "device://dev//mqueue/a",
            "folder:/a\0/b", "folder:/\(String(repeating: "a", count: 4095))",
        ])
    func strange(word: String) { #expect(EngineNeed.Kind(word: word) == nil) }

    @Test("Needs whose paths are encoded differently are considered different")
    func spelling() {
        let kinds = ["folder:/opt/\u{E9}", "folder:/opt/e\u{301}"].map { EngineNeed.Kind(word: $0) }
        #expect(kinds[0] != kinds[1] && !kinds.contains(nil))
        #expect(Set(kinds).count == 2)
    }
}
