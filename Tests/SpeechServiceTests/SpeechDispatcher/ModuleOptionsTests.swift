import Testing

@testable import SynthSpeechDispatcher

@Suite("The configuration of the speech-dispatcher module")
struct ModuleOptionsTests {
    @Test("The configuration is read line by line")
    func read() {
        let (options, mistakes) = ModuleOptions.read(
            """
            # A comment
            FirstWords wait   # until the voice is there
              voice "Heart # (American)"

            IDLE\t30\r
            """)
        var wanted = ModuleOptions()
        wanted.firstWords = .wait
        wanted.voice = "Heart # (American)"
        wanted.idle = .seconds(30)
        #expect(options == wanted && mistakes.isEmpty)
    }

    @Test("Errors are reported with their line number, and all other lines take effect")
    func mistakes() {
        let (options, mistakes) = ModuleOptions.read(
            "Idle soon\nNonsense 1\nVoice\nFirstWords later\nIdle 0\nVoice Ann\n")
        var wanted = ModuleOptions()
        wanted.voice = "Ann"
        #expect(options == wanted)
        #expect(
            mistakes == [
                .init(line: 1, reason: .badValue(of: "Idle", "soon")), .init(line: 2, reason: .unknownKey("Nonsense")),
                .init(line: 3, reason: .badValue(of: "Voice", "")),
                .init(line: 4, reason: .badValue(of: "FirstWords", "later")),
                .init(line: 5, reason: .badValue(of: "Idle", "0")),
            ])
    }
}
