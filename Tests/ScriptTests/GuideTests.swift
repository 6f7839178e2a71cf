import Foundation
import Testing
import TestSupport

@Suite("The guide for authors of engines", .ownThreads) struct GuideTests {
    /// Its shell blocks in their order.
    private func blocks() throws -> [String] {
        let guide = try String(
            contentsOf: Workshop.checkout.appending(path: "Plugins/README.md"), encoding: .utf8)
        return guide.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    // Scripts/test-install runs the line that installs; here what was built stands in for it.
    @Test("works from an empty folder to an engine in C and one in Swift that speak")
    func works() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let blocks = try blocks()
        #expect(blocks.first?.contains("\nScripts/install ~/.local\n") == true)
        let lines = blocks.joined().replacing("\nScripts/install ~/.local\n", with: "\n")
        let result = try workshop.run(try workshop.runnable(lines))
        #expect(result.status == 0, "\(result.output)")
        #expect(workshop.size(of: "hum/hello.wav") > 20_000)
        #expect(workshop.size(of: "beep/hello.wav") > 20_000)
        #expect(result.output.contains("hum  Hum 0.1"))
    }
}
