import ScriptChecks
import SynthScript
import Testing
import TestNumbers

/// Properties of all scripts, valid or not.
@Suite("SSML properties")
struct SSMLPropertyTests {
    @Test(
        "A damaged script is either rejected with the position of the error or has valid positions", arguments: 0..<200
    )
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

    @Test("A random well-formed script has valid positions", arguments: 0..<200)
    func wellFormed(seed: UInt64) throws {
        var random = SeededRandom(seed)
        for _ in 0..<10 {
            let document = Array(RandomSSML.make(with: &random).utf8)
            #expect(ScriptInvariants.violations(of: try SSMLScript(document).rest(), in: document) == [])
        }
    }
}
