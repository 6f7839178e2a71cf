import CommandSupport
import Foundation
import SynthAudio
import Testing
import TestNumbers
import TestSupport

/// Tests the Model Context Protocol as used by a program that starts `synthhost mcp`.
@Suite("Tools for language models", .ownThreads)
struct AssistantTests {
    private let home: UserHome

    init() throws {
        home = try UserHome()
        try home.install("Plugins/Scripted/scripted", as: "scripted")
        try home.write(#"{"recognizer": "scripted"}"#, to: "config/synthhost/config.json")
    }

    /// Returns the responses to the given messages, in order of arrival.
    private func talk(_ messages: String...) throws -> [[String: Any]] {
        let result = try home.run("mcp", input: Array(messages.map { "\($0)\n" }.joined().utf8))
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        return try result.lines.map { try #require(Self.object($0)) }
    }

    private static func object(_ line: Substring) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }

    private static func call(_ tool: String, _ arguments: String = "{}", id: Int = 7) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
    }

    private static func code(_ answer: [String: Any]?) -> Int? { (answer?["error"] as? [String: Any])?["code"] as? Int }

    private static func result(_ answer: [String: Any]?) -> [String: Any]? { answer?["result"] as? [String: Any] }

    private static func text(_ answer: [String: Any]?) -> String? {
        (result(answer)?["content"] as? [[String: Any]])?.first?["text"] as? String
    }

    @Test("The server initializes, lists its tools, and does not respond to notifications")
    func handshake() throws {
        let answers = try talk(
            #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "",
            #"{"jsonrpc":"2.0","id":"a","method":"ping"}"#, #"{"jsonrpc":"2.0","id":"x","result":{}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}"#)
        #expect(answers.count == 4)
        #expect(Self.result(answers[0])?["protocolVersion"] as? String == "2025-06-18")
        #expect((Self.result(answers[0])?["serverInfo"] as? [String: Any])?["name"] as? String == "synthhost")
        #expect(answers[1]["id"] as? String == "a" && Self.result(answers[1])?.isEmpty == true)
        let tools = try #require(Self.result(answers[2])?["tools"] as? [[String: Any]])
        #expect(tools.map { $0["name"] as? String } == ["speak", "transcribe", "listen", "voices"])
        #expect(tools.allSatisfy { ($0["inputSchema"] as? [String: Any])?["type"] as? String == "object" })
        #expect(Self.result(answers[3])?["protocolVersion"] as? String == "2025-06-18")
    }

    @Test("The server responds to unknown and unreadable messages with an error code and keeps running")
    func mistakes() throws {
        let answers = try talk(
            "{\"jsonrpc\":", "[]", #"{"id":1,"method":"ping"}"#, #"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"resources/list"}"#, #"{"jsonrpc":"2.0","method":"unknown/note"}"#,
            #"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"format_disk"}}"#,
            #"{"jsonrpc":"2.0","id":4,"method":"tools/call","params":[1]}"#, #"{"jsonrpc":"2.0","id":5}"#,
            #"{"jsonrpc":"2.0","id":6,"method":"ping"}"#)
        #expect(
            answers.map(Self.code) == [-32700, -32600, -32600, -32600, -32601, -32602, -32602, -32600, nil])
        #expect(answers.last?["id"] as? Int == 6)
        let long = try home.run(
            "mcp",
            input: [UInt8](repeating: 0x20, count: 9 << 20)
                + Array("\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".utf8))
        #expect(long.lines.map { Self.code(Self.object($0)) } == [-32700, nil])
        let unended = try home.run(
            "mcp",
            input: [UInt8](repeating: 0x20, count: 9 << 20) + Array(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#.utf8))
        #expect(unended.lines.map { Self.code(Self.object($0)) } == [-32700])
    }

    @Test("Speech is written only to a file that does not yet exist")
    func speak() throws {
        let file = home.file("said.wav")
        let call = Self.call("speak", #"{"text": "Hello there.", "voice": "Sine", "file": "\#(file)"}"#)
        let answer = try talk(call).first
        #expect(Self.result(answer)?["isError"] as? Bool == false, "\(String(describing: answer))")
        let seconds = (Self.result(answer)?["structuredContent"] as? [String: Any])?["seconds"] as? Double
        let sound = try home.wav("said.wav")
        #expect(try abs(Double(sound.samples.count) / Double(sound.sampleRate) - #require(seconds)) < 0.01)
        let before = try home.data("said.wav")
        let again = try talk(call).first
        #expect(Self.result(again)?["isError"] as? Bool == true)
        #expect(try home.data("said.wav") == before)
        for (arguments, code) in [
            ("{}", -32602), (#"{"text": 7}"#, -32602), (#"{"text": "a", "rate": 9}"#, -32602),
            (#"{"text": "a", "voice": "Nobody"}"#, nil), (#"{"text": "a", "file": "/nowhere/a.wav"}"#, nil),
            (#"{"text": "a"}"#, nil), (#"{"text": "a", "voice": "Sine", "file": "/dev/fd/01"}"#, nil),
            (#"{"text": "a", "voice": "Sine", "file": "/dev/stdout"}"#, nil),
        ] {
            let answer = try talk(Self.call("speak", arguments)).first
            #expect(Self.code(answer) == code, "\(arguments)")
            if code == nil { #expect(Self.result(answer)?["isError"] as? Bool == true, "\(arguments)") }
        }
        let voices = try talk(Self.call("voices")).first
        #expect(Self.text(voices)?.isEmpty == false)
    }

    @Test("A path with a control character is rejected because C strings end at NUL")
    func controlCharacters() throws {
        for name in [#"a\u0000b.wav"#, #"c.wav\u0000"#, #"d\ne.wav"#, #"f\u001bg.wav"#, #"h\u0085.wav"#] {
            for tool in ["speak", "transcribe"] {
                let call = #"{"text": "Hello.", "voice": "Sine", "file": "\#(home.path)/\#(name)"}"#
                    .replacing(
                        #""text": "Hello.", "voice": "Sine", "#, with: tool == "speak" ? #""text": "Hello.", "# : "")
                let answer = try talk(Self.call(tool, call)).first
                #expect(Self.code(answer) == -32602, "\(tool) \(name)")
                let error = (answer?["error"] as? [String: Any])?["message"] as? String
                #expect(error == "\"file\" contains a control character. Remove it from the file name.")
            }
        }
        #expect(!home.exists("a") && !home.exists("c.wav"))
    }

    @Test("Numbers may be passed as strings, errors name unknown arguments, and empty text is rejected")
    func arguments() throws {
        let file = home.file("fast.wav")
        let fast = try talk(
            Self.call("speak", #"{"text": "Hello there.", "voice": "Sine", "rate": "2", "file": "\#(file)"}"#)
        ).first
        #expect(Self.result(fast)?["isError"] as? Bool == false, "\(String(describing: fast))")
        for arguments in [
            #"{"text": "a", "speed": 2}"#, #"{"text": "a", "rate": "fast"}"#, #"{"text": "a", "rate": "9"}"#,
        ] {
            #expect(Self.code(try talk(Self.call("speak", arguments)).first) == -32602, "\(arguments)")
        }
        let unknown = try talk(Self.call("voices", #"{"language": "de"}"#)).first
        let error = (unknown?["error"] as? [String: Any])?["message"] as? String
        #expect(error == "\"language\" is not an argument of this tool. The tool takes no arguments.")
        let silent = try talk(
            Self.call("speak", #"{"text": "...", "voice": "Sine", "file": "\#(home.file("none.wav"))"}"#)
        ).first
        #expect(Self.result(silent)?["isError"] as? Bool == true)
        #expect(Self.text(silent)?.hasPrefix("The text contains nothing to speak.") == true)
        #expect(!home.exists("none.wav"))
    }

    @Test("The error for an unreadable recording names the recording and the reason")
    func recordings() throws {
        try home.write("no sound", to: "notes.txt")
        for (name, reason) in [
            ("nowhere.m4a", "No such file or directory."),
            (
                "notes.txt",
                "it is not an audio or video file in a supported format. Pass an audio file, or a video with an audio track."
            ),
            ("", "it is a folder."),
        ] {
            let answer = try talk(Self.call("transcribe", #"{"file": "\#(home.file(name))"}"#)).first
            #expect(
                Self.text(answer)?.hasPrefix("Cannot read the recording \(home.file(name)): \(reason)") == true,
                "\(String(describing: answer))")
        }
    }

    @Test("Speech is played on the given device")
    func plays() throws {
        let played = home.file("played")
        try home.write(
            """
            pcm.record { type file slave.pcm { type null } file "\(played)" format raw }
            pcm.out { type plug slave.pcm record }

            """, to: "asound.conf")
        let process = try home.start(["mcp", "-d", "out"], input: .pipe)
        try process.feed(Array((Self.call("speak", #"{"text": "Hello there.", "voice": "Sine"}"#) + "\n").utf8))
        try process.waitForText("isError")
        try process.feed([], last: true)
        let result = try process.finish()
        #expect(result.code == 0 && result.errors == "" && result.text.contains("Spoke for "), "\(result.text)")
        #expect(try home.data("played").contains { $0 != 0 })
    }

    /// Returns segments of a tone, which the recognizer treats as speech.
    private func sound(_ name: String) throws -> String {
        let samples = (0..<48_000).map { $0 % 24_000 < 12_000 ? sin(Float($0) * 0.3) * 0.5 : 0 }
        let path = home.file(name)
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: path)).sink(path: path)
        try sink.begin(AudioFormat(sampleRate: 16_000, channels: 1))
        try sink.write(samples[...])
        try sink.finish()
        return path
    }

    @Test(
        "A recording that ffmpeg can read is transcribed",
        .enabled(if: GeneratedMedia.isPossible, "\(GeneratedMedia.missing)"))
    func media() throws {
        let path = try sound("talk.wav")
        for media in [GeneratedMedia.m4a, .webm, .mp4, .threeGP, .wma] {
            let answer = try talk(Self.call("transcribe", #"{"file": "\#(try media.make(of: path))"}"#)).first
            #expect(Self.text(answer) == "Hello, world. forty-two point five", "\(media)")
        }
    }

    @Test("The specified file is transcribed")
    func transcribe() throws {
        let path = try sound("talk.flac")
        let answer = try talk(Self.call("transcribe", #"{"file": "\#(path)"}"#)).first
        #expect(Self.text(answer) == "Hello, world. forty-two point five")
        let captions = try talk(Self.call("transcribe", #"{"file": "\#(path)", "format": "srt"}"#)).first
        #expect(Self.text(captions)?.hasPrefix("1\n00:00:0") == true)
        for arguments in [#"{"file": "\#(home.file("absent.wav"))"}"#, #"{"file": "\#(path)", "translate": true}"#] {
            let answer = try talk(Self.call("transcribe", arguments)).first
            #expect(Self.result(answer)?["isError"] as? Bool == true, "\(arguments)")
        }
        #expect(Self.code(try talk(Self.call("transcribe")).first) == -32602)
    }

    @Test("The microphone is used by one call at a time, and cancellation stops listening")
    func listen() throws {
        var samples = [Int16](repeating: 0, count: 16_000) + (0..<32_000).map { Int16(sin(Double($0) * 0.3) * 16_000) }
        samples += [Int16](repeating: 0, count: 16_000 * 60)
        try home.write(PCMBytes.bytes(samples), to: "heard")
        try home.write(
            """
            pcm.ear { type file slave.pcm { type null } file "/dev/null" infile "\(home.file("heard"))" format raw }
            pcm.mic { type plug slave { pcm ear format S16_LE channels 1 rate 16000 } }

            """, to: "asound.conf")
        let process = try home.start(["mcp", "--microphone", "mic"], input: .pipe)
        try process.feed(Array((Self.call("voices", id: 1) + "\n" + Self.call("listen", id: 2) + "\n").utf8))
        try process.waitForText("Hello, world.")
        try process.feed([], last: true)
        let result = try process.finish()
        #expect(result.code == 0 && result.errors == "", "\(result.errors)")
        let answer = result.lines.compactMap(Self.object).first { $0["id"] as? Int == 2 }
        #expect(Self.text(answer) == "Hello, world.")
        // With a recognizer that never ends, listening blocks until it is cancelled or the input ends.
        try home.install("deaf", ["HANG", "TRANSCRIBES"], as: "deaf")
        let held = try home.start(["mcp", "--microphone", "mic", "--recognizer", "deaf"], input: .pipe)
        for id in [2, 3] {
            try held.feed(Array((Self.call("listen", #"{"timeout": 600}"#, id: id) + "\n").utf8))
        }
        // One of the calls is using the microphone.
        try held.waitForText("in use by another call")
        let refused = String(decoding: held.output, as: UTF8.self).contains(#""id":2"#) ? 2 : 3
        let stop =
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(refused == 2 ? 3 : 2)}}"#
        try held.feed(Array((stop + "\n" + Self.call("voices", id: 4) + "\n").utf8), last: true)
        let ended = try held.finish()
        #expect(ended.code == 0)
        let answers = ended.lines.compactMap(Self.object)
        #expect(answers.compactMap { $0["id"] as? Int } == [refused, 4], "\(ended.text)")
        #expect(Self.result(answers.first)?["isError"] as? Bool == true)
    }
}
