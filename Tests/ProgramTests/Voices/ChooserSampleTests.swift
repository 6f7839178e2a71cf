import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Samples in the voice chooser", .ownThreads)
struct ChooserSampleTests {
    @Test("A sample is played with the values shown on the screen, regardless of the environment variables")
    func environment() throws {
        func play(adding variables: [String: String?]) throws -> Int {
            let (terminal, speaker) = (try DrawnTerminal(), SteppedSpeaker())
            let fixture = try RegistryFixture()
            let command = try fixture.home.begin(
                ["voices", "choose"], on: terminal.terminal, showsOutput: true, adding: variables,
                devices: speaker.devices)
            try terminal.wait(for: " Ready")
            terminal.type("/sine\r\r")
            // The sample plays slowly enough for the screen to keep up.
            for _ in 0..<2000 {
                speaker.play(100, within: .milliseconds(20))
                if (try? terminal.wait(for: "Playing Sine", within: .milliseconds(50))) != nil { break }
            }
            for _ in 0..<2000 where !terminal.lines.contains(where: { $0.contains(" Ready") }) {
                speaker.play(2000, within: .milliseconds(20))
            }
            try terminal.wait(for: " Ready", within: .zero)
            #expect(terminal.lines.contains { $0.contains("rate <1.00>") })
            terminal.type("q")
            while !command.hasEnded { _ = terminal.lines }
            #expect(try command.finish().code == 0)
            return speaker.played
        }
        let usual = try play(adding: [:])
        #expect(usual > 0)
        #expect(try play(adding: ["SYNTHHOST_RATE": "2", "SYNTHHOST_VOLUME": "0.5"]) == usual)
    }
}
