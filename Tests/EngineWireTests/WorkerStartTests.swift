import SynthEngineWire
import SynthSystem
import Testing

@Suite("Requests to a service's starter process")
struct WorkerStartTests {
    private static let start = WorkerStart(
        worker: "/lib/worker", fetcher: "/lib/fetch", reader: "/lib/read", confinement: .usual)

    private static func asked(_ program: String, _ arguments: [String]) -> ProgramStart {
        ProgramStart(
            program: program, arguments: arguments.map { Array($0.utf8) }, variables: ["HOME", "LANG"], folder: "/")
    }

    @Test(
        "Requests survive encoding and decoding",
        arguments: [
            ProgramStart(program: "/a"), asked("/a", ["", "b c", "é=1"]),
            ProgramStart(program: "/a", arguments: [[0xFF], []], folder: "/x", ignoresBrokenPipes: true),
        ])
    func bytes(_ start: ProgramStart) {
        #expect(ProgramStart(bytes: start.bytes[...]) == start)
    }

    @Test("Truncated and invalid requests are rejected")
    func malformed() {
        let bytes = Self.asked("/a", ["b", "c"]).bytes
        // Only the list of variable names may be truncated.
        let shortest = bytes.count - "HOME LANG ".count
        for count in 0..<shortest { #expect(ProgramStart(bytes: bytes[..<count]) == nil, "\(count)") }
        for text in ["a\0\0\u{30}\00\0", "/a\0\0\u{32}\00\0", "/a\0\00\0-1\0", "/a\0\00\09\0", "/a\0\00\0x\0", ""] {
            #expect(ProgramStart(bytes: Array(text.utf8)[...]) == nil, "\(text)")
        }
    }

    @Test("Only the worker, the fetcher and the reader can be started")
    func programs() {
        for program in [Self.asked("/lib/fetch", []), Self.asked("/lib/read", ["book"])] {
            #expect(Self.start.admitted(program) == program)
        }
        let worker = Self.asked("/lib/worker", ["read=/models", "/plugins/a.so"])
        #expect(Self.start.admitted(worker) == worker)
        for program in ["/bin/sh", "/lib/worker2", "/lib/../lib/worker"] {
            #expect(Self.start.admitted(Self.asked(program, ["/plugins/a.so"])) == nil)
        }
        let accented = WorkerStart(
            worker: "/lib/\u{E9}/worker", fetcher: "/lib/\u{E9}/fetch", reader: "/lib/\u{E9}/read", confinement: .usual)
        for program in ["worker", "fetch", "read"] {
            #expect(accented.admitted(Self.asked("/lib/\u{E9}/\(program)", ["/plugins/a.so"])) != nil)
            #expect(accented.admitted(Self.asked("/lib/e\u{301}/\(program)", ["/plugins/a.so"])) == nil)
        }
    }

    @Test("A request cannot weaken the confinement and can start only an engine")
    func walls() {
        let low = Self.asked("/lib/worker", ["confinement=off", "landlock=0", "allow=network", "/plugins/a.so"])
        #expect(Self.start.admitted(low) == Self.asked("/lib/worker", ["allow=network", "/plugins/a.so"]))
        for words in [[], ["a.so"], ["start", "off", "/bin/sh", "/bin/sh"], ["nothing=1", "/a.so"]] {
            #expect(Self.start.admitted(Self.asked("/lib/worker", words)) == nil)
        }
        var binary = low
        binary.arguments.append([0xFF])
        #expect(Self.start.admitted(binary) == nil)
    }

    @Test("A starter's arguments differ from those of a worker that hosts an engine")
    func words() {
        #expect(WorkerStart(words: Self.start.words) == Self.start)
        #expect(WorkerArguments(words: Self.start.words) == nil)
        for words in [
            ["start"], ["start", "usual", "/a", "/b"], ["start", "high", "/a", "/b", "/c"],
            ["start", "off", "a", "/b", "/c"],
            ["start", "off", "/a", "/b", "c"],
        ] {
            #expect(WorkerStart(words: words) == nil)
        }
    }
}
