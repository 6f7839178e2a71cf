import Foundation
import Testing
import TestSupport

@Suite("The guide for authors of engines", .ownThreads) struct GuideTests {
    /// The guide's shell blocks, in order.
    private func blocks() throws -> [String] {
        let guide = try String(
            contentsOf: ScriptHome.checkout.appending(path: "Plugins/README.md"), encoding: .utf8)
        return guide.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    // Scripts/test-install tests the line that installs; this test uses the build instead.
    @Test("leads from an empty folder to engines in C and in Swift that speak")
    func works() throws {
        let home = try ScriptHome()
        let blocks = try blocks()
        #expect(blocks.first?.contains("\nScripts/install ~/.local\n") == true)
        let lines = blocks.joined().replacing("\nScripts/install ~/.local\n", with: "\n")
        let result = try home.run(try home.runnable(lines))
        #expect(result.status == 0, "\(result.output)")
        #expect(home.size(of: "hum/hello.wav") > 20_000)
        #expect(home.size(of: "beep/hello.wav") > 20_000)
        #expect(result.output.contains("hum  Hum 0.1"))
    }
}
