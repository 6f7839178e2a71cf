import ScriptChecks
import SynthScript
import Testing
import TestNumbers

/// What holds for every script, however it came about.
@Suite("Any SSML")
struct SSMLPropertyTests {
    @Test("a damaged script is refused with its place, or keeps every place", arguments: 0..<200)
    func damaged(seed: UInt64) {
        var random = SeededRandom(seed)
        let documents = SSMLExamples.all.map { Array($0.document.utf8) }
        for _ in 0..<40 {
            let first = documents.randomElement(using: &random) ?? []
            let second = documents.randomElement(using: &random) ?? []
            let document = ScriptMutation.damage(first, with: second, using: &random)
            #expect(ScriptForm.ssml.violations(in: document) == [])
        }
    }

    @Test("a script of anything inside anything keeps every place", arguments: 0..<200)
    func wellFormed(seed: UInt64) throws {
        var random = SeededRandom(seed)
        for _ in 0..<10 {
            let document = Array(RandomSSML.make(with: &random).utf8)
            #expect(ScriptInvariants.violations(of: try SSMLScript(document).parts, in: document) == [])
        }
    }
}
