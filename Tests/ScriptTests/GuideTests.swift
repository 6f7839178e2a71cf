import Foundation
import Testing
import TestSupport

@Suite("The guide for engine authors", .ownThreads) struct GuideTests {
    /// The guide's shell blocks, in order.
    private func blocks() throws -> [String] {
        let guide = try String(
            contentsOf: ScriptHome.checkout.appending(path: "Plugins/README.md"), encoding: .utf8)
        return guide.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    /// Replaces the script with the built program, because the script would wait for the build that is running the
    /// tests.
    private func runnable(_ lines: String, _ home: ScriptHome) throws -> String {
        try home.runnable(lines.replacing("~/synthhost/Scripts/synthhost", with: "synthhost"))
    }

    @Test(
        "The guide's commands create working engines and recognizers in C and Swift from scratch",
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."))
    func works() throws {
        let home = try ScriptHome()
        let result = try home.run(try runnable(try blocks().joined(), home))
        #expect(result.status == 0, "\(result.output)")
        #expect(home.size(of: "hum/hello.wav") > 20_000)
        #expect(home.size(of: "beep/hello.wav") > 20_000)
        #expect(result.output.contains("hum  Hum 0.1"))
        #expect(home.size(of: "hark/hark.so") > 0 && home.size(of: "heed/.build/release/libHeed.so") > 0)
    }

    @Test(
        "The guide shows the commands that Scripts/new-engine prints",
        arguments: [
            "hum --c ~/hum", "beep --swift ~/beep", "--recognizer hark ~/hark", "--recognizer heed --swift ~/heed",
        ])
    func sameCommands(arguments: String) throws {
        let home = try ScriptHome()
        let made = try home.run("~/synthhost/Scripts/new-engine \(arguments) 2>/dev/null")
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
        let block = try #require(try blocks().first { $0.contains("new-engine \(arguments)\n") })
        #expect(block == "~/synthhost/Scripts/new-engine \(arguments)\n\(commands)\n")
    }
}
