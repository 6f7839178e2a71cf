import Testing
import TestNumbers

@testable import SynthSpeechDispatcher

@Suite("Reading speech-dispatcher requests")
struct ModuleReaderTests {
    private func requests(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [ModuleRequest] {
        var reader = ModuleReader()
        var requests: [ModuleRequest] = []
        let borders = [0] + cuts + [bytes.count]
        for (start, end) in zip(borders, borders.dropFirst()) {
            bytes[start..<end].withUnsafeBytes { reader.append($0) }
            while let request = reader.next() { requests.append(request) }
        }
        return requests
    }

    private func requests(_ text: String) -> [ModuleRequest] { requests(Array(text.utf8)) }

    private static func assignments(_ lines: String...) -> ModuleAssignments {
        var assignments = ModuleAssignments()
        for line in lines { assignments.add(line) }
        return assignments
    }

    private static let conversation: [(said: String, meant: [ModuleRequest])] = [
        ("INIT\n", [.start]),
        (
            "AUDIO\naudio_output_method=server\n.\n",
            [.open(.audio), .audio(assignments("audio_output_method=server"))]
        ),
        ("LOGLEVEL\nlog_level=3\n.\n", [.open(.logLevel), .logLevel(assignments("log_level=3"))]),
        ("LIST VOICES\n", [.listVoices(language: nil, variant: nil)]),
        ("LIST VOICES de\n", [.listVoices(language: "de", variant: nil)]),
        ("LIST VOICES en-US male1\n", [.listVoices(language: "en-US", variant: "male1")]),
        ("LIST VOICES a b c\n", [.badSyntax]),
        ("LIST\n", [.unknown]),
        ("SET\nrate=7\nlanguage=c\n.\n", [.open(.settings), .set(assignments("rate=7", "language=c"))]),
        ("SET\n.\n", [.open(.settings), .set(assignments())]),
        ("SET\nrate\n.\n", [.open(.settings), .set(assignments("rate"))]),
        (
            "SPEAK\n<speak>Grüße\n\n..\n...x\n</speak>\n.\n",
            [
                .open(.message(.text)),
                .say(ModuleMessage(kind: .text, text: "<speak>Grüße\n\n.\n..x\n</speak>")),
            ]
        ),
        ("SPEAK\n.\n", [.open(.message(.text)), .refuse(.cannotSpeak)]),
        ("SPEAK\n\n.\n", [.open(.message(.text)), .refuse(.cannotSpeak)]),
        (
            "CHAR\nspace\n.\n",
            [.open(.message(.character)), .say(ModuleMessage(kind: .character, text: "space"))]
        ),
        ("CHAR\n..\n.\n", [.open(.message(.character)), .say(ModuleMessage(kind: .character, text: "."))]),
        ("KEY\nshift_a\n.\n", [.open(.message(.key)), .say(ModuleMessage(kind: .key, text: "shift_a"))]),
        ("KEY\na\nb\n.\n", [.open(.message(.key)), .refuse(.severalLines)]),
        ("SOUND_ICON\nbell\n.\n", [.open(.message(.icon)), .say(ModuleMessage(kind: .icon, text: "bell"))]),
        ("STOP\n", [.stop]),
        ("PAUSE\n", [.pause]),
        ("DEBUG ON /tmp/a file\n", [.debug(file: "/tmp/a file")]),
        ("DEBUG OFF\n", [.debug(file: nil)]),
        ("DEBUG ON\n", [.badSyntax]),
        ("DEBUG\n", [.badSyntax]),
        ("\n", [.unknown]),
        ("stop\n", [.unknown]),
        ("STOP now\n", [.unknown]),
        ("QUIT\n", [.quit]),
    ]

    private static let all = conversation.map(\.said).joined()
    private static let meant = conversation.flatMap(\.meant)

    @Test("Requests are parsed", arguments: conversation.indices)
    func table(_ index: Int) {
        let (said, meant) = Self.conversation[index]
        #expect(requests(said) == meant)
        #expect(requests(said.replacing("\n", with: "\r\n")) == meant)
    }

    @Test("Requests may arrive in chunks of any size")
    func cuts() {
        let bytes = Array(Self.all.utf8)
        for cut in bytes.indices { #expect(requests(bytes, cutAt: [cut]) == Self.meant, "cut at \(cut)") }
        #expect(requests(bytes, cutAt: Array(bytes.indices)) == Self.meant)
    }

    @Test("A request takes effect only after its last line has ended")
    func unfinished() {
        #expect(requests("STOP").isEmpty)
        #expect(requests("SPEAK\ntext\n.") == [.open(.message(.text))])
    }

    @Test("A text of up to about a million bytes is accepted, but a longer one is rejected", arguments: [0, 1, 500])
    func longTexts(lines: Int) {
        let longest = ModuleReader.longestText
        let line = String(repeating: "x", count: lines == 0 ? longest - 1 : (longest - 1) / lines - 1)
        let text = Array(repeating: line, count: max(1, lines)).joined(separator: "\n")
        #expect(
            requests("SPEAK\n\(text)\n.\nSTOP\n").suffix(2) == [.say(ModuleMessage(kind: .text, text: text)), .stop])
        let more = text + "\n" + String(repeating: "y", count: longest - text.utf8.count)
        #expect(requests("SPEAK\n\(more)\n.\nSTOP\n").suffix(2) == [.refuse(.cannotSpeak), .stop])
        let endless = String(repeating: "z", count: 3 * longest)
        #expect(requests("SPEAK\n\(endless)\n\(text)\n.\nSTOP\n").suffix(2) == [.refuse(.cannotSpeak), .stop])
        #expect(requests("\(endless)\nSTOP\n") == [.unknown, .stop])
    }

    @Test("The number of settings is limited")
    func manySettings() {
        let lines = (0..<10_000).map { "name\($0)=1\n" }.joined()
        guard case .set(let assignments)? = requests("SET\n\(lines).\n").last else {
            Issue.record("The request contains no settings.")
            return
        }
        #expect(assignments.isMalformed && assignments.assignments.count < 1000)
    }

    @Test("Random bytes yield at most one request per line", arguments: 0..<200)
    func random(_ seed: UInt64) {
        var random = SeededRandom(seed)
        var bytes = Array(Self.all.utf8)
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let cut = Int.random(in: 0..<bytes.count, using: &random)
        let found = requests(bytes, cutAt: [cut])
        #expect(found.count <= bytes.count { $0 == 0x0A })
        // After any input, the end of a block and a new line resynchronize the reader.
        #expect(requests(bytes + Array("\n.\nQUIT\n".utf8)).last == .quit)
    }
}
