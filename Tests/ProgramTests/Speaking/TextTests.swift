import CommandSupport
import Testing
import TestSupport

@Suite("Text to be spoken", .ownThreads)
struct TextTests {
    @Test(
        "Text without words is reported, and no file is written",
        arguments: ["", "   ", "\n\t\n", "\u{FEFF}", "\u{1B}[31m\u{1B}[0m"])
    func nothing(text: String) throws {
        let home = try UserHome()
        try home.write("precious", to: "old.wav")
        try home.write("precious", to: "old.srt")
        for name in ["new", "old"] {
            let (sound, times) = (home.file("\(name).wav"), home.file("\(name).srt"))
            let given = try home.run("speak", "-o", sound, "--timings", times, text)
            let piped = try home.run("speak", "-o", sound, "--timings", times, input: Array(text.utf8))
            for result in [given, piped] {
                #expect(result.code == 66)
                #expect(
                    result.errors.hasPrefix(
                        "synthhost: The text contains nothing to speak; \(sound) was not written.\n"),
                    "\(result.errors)")
            }
        }
        #expect(!home.exists("new.wav") && !home.exists("new.srt"))
        for name in ["old.wav", "old.srt"] { #expect(try Array(home.data(name)) == Array("precious".utf8)) }
        let json = try home.run("speak", "--json", "-o", home.file("new.wav"), text)
        #expect(json.code == 66 && json.output.isEmpty && json.errors.contains("\"code\":66"))
    }

    @Test(
        "Unusual text is spoken",
        arguments: [
            "👩‍👩‍👧‍👦 🎉 family", "שלום עולם, مرحبا بالعالم", "one\u{0}two\u{7}three\u{8}\u{9F}",
            "\u{202E}reversed\u{202C} text",
            "\u{1B}[1;31mred\u{1B}[0m words", "e\u{301}\u{302}\u{303}\u{304}", "- a\n- b\n- c", "…", "日本語のテキスト。",
        ])
    func strange(text: String) throws {
        let home = try UserHome()
        try home.write(text, to: "text.txt")
        let result = try home.run("speak", "-f", home.file("text.txt"), "-o", home.file("x.wav"))
        if result.code == 66 { return #expect(result.errors.contains("The text contains nothing to speak; ")) }
        #expect(result.code == 0, "\(result.errors)")
        // On a busy machine, progress lines are printed first, so they are skipped.
        let end = result.errors.split(separator: "\n").last ?? ""
        #expect(end.hasPrefix("Wrote "))
        let wav = try home.wav("x.wav")
        #expect(wav.agrees(fileSize: try home.data("x.wav").count))
    }

    @Test("Phonemes are rejected if the engine cannot speak them")
    func tokens() throws {
        let home = try UserHome()
        let result = try home.run("speak", "-e", "tone", "--tokens", "[[a]]", "-o", home.file("x.wav"))
        #expect(result.code == 69 && result.errors.contains("The engine tone cannot speak phonemes."))
        #expect(!home.exists("x.wav"))
    }

    @Test("Variation is rejected if the engine does not support it")
    func variation() throws {
        let home = try UserHome()
        let result = try home.run("speak", "-e", "tone", "--variation", "0", "a", "-o", home.file("x.wav"))
        #expect(result.code == 69 && result.errors.contains("The engine tone always reads text the same way."))
        #expect(!home.exists("x.wav"))
        let wrong = try home.run("speak", "-e", "tone", "--variation", "3", "a", "-o", home.file("x.wav"))
        #expect(wrong.code == 64 && wrong.errors.contains("a factor from 0 to 2"))
    }

    @Test("An intonation setting is rejected if the engine cannot change the intonation or the value is out of range")
    func intonation() throws {
        let home = try UserHome()
        let result = try home.run("speak", "-e", "tone", "--intonation", "0.5", "a", "-o", home.file("x.wav"))
        #expect(result.code == 69 && result.errors.contains("The engine tone cannot change the intonation."))
        #expect(!home.exists("x.wav"))
        let wrong = try home.run("speak", "-e", "tone", "--intonation", "3", "a", "-o", home.file("x.wav"))
        #expect(wrong.code == 64 && wrong.errors.contains("a factor from 0 to 2"))
    }

    @Test("64 KiB of text without a space is spoken to the end")
    func noSpace() throws {
        let home = try UserHome()
        try home.install("reed")
        try home.write(String(repeating: "abcdefgh", count: 8192), to: "long.txt")
        let result = try home.run("speak", "-v", "Tick", "-f", home.file("long.txt"), "--raw")
        #expect(result.code == 0)
        #expect(result.output.count == 65_536 * 2)
    }

    @Test("Invalid UTF-8 is rejected, the error includes its position, and nothing is spoken or overwritten")
    func invalid() throws {
        let home = try UserHome()
        let bytes = Array("Grüße. ".utf8) + [0xFC, 0x62, 0x65, 0x72]
        try home.write(bytes, to: "latin1.txt")
        try home.write("precious", to: "old.wav")
        let file = try home.run("speak", "-f", home.file("latin1.txt"), "-o", home.file("old.wav"))
        #expect(file.code == 66)
        #expect(
            file.errors.contains("invalid byte 0xFC at offset 9") && file.errors.contains("\nIf the text is Latin-1"),
            "\(file.errors)")
        #expect(file.errors.contains("iconv -f latin1"))
        #expect(String(decoding: try home.data("old.wav"), as: UTF8.self) == "precious")

        let argument = try home.start(["speak", "-o", home.file("old.wav")], bytes: [bytes]).finish()
        #expect(argument.code == 64)
        #expect(argument.errors.contains("Argument 4 is not UTF-8: invalid byte at offset 9."))
        #expect(argument.errors.contains("iconv -f latin1"))
        #expect(String(decoding: try home.data("old.wav"), as: UTF8.self) == "precious")

        // Text from a pipe is spoken up to the error.
        let piped = try home.run("speak", "-v", "en", "-o", home.file("piped.wav"), input: bytes)
        #expect(piped.code == 66)
        #expect(piped.errors.contains("invalid byte 0xFC at offset 9"))
        #expect(try home.wav("piped (stopped).wav").seconds > 0.3)

        let alone = try home.run("speak", "-o", home.file("old.wav"), input: [0xFF, 0x61])
        #expect(alone.code == 66)
        #expect(String(decoding: try home.data("old.wav"), as: UTF8.self) == "precious")
    }

    @Test("Text that ends in the middle of a character is reported")
    func truncated() throws {
        let home = try UserHome()
        let result = try home.run("speak", "-o", home.file("x.wav"), input: [0x61, 0x62, 0x63, 0xC3])
        #expect(result.code == 66)
        #expect(result.errors.contains("the character at byte 3 is incomplete"))
    }

    @Test("The error names an unreadable file", arguments: ["nowhere.txt", "."])
    func unreadable(name: String) throws {
        let home = try UserHome()
        let result = try home.run("speak", "-f", home.file(name), "-o", home.file("x.wav"))
        #expect(result.code == 66)
        #expect(result.errors.contains(home.file(name)) && result.errors.contains("-f"))
    }

    @Test("There is silence between sentences and a longer silence between paragraphs")
    func pauses() throws {
        let home = try UserHome()
        try home.install("reed")
        func frames(_ text: String, rate: String = "1") throws -> Int {
            let result = try home.run("speak", "-v", "Oboe", "-r", rate, "-f", "-", "--raw", input: Array(text.utf8))
            #expect(result.code == 0, "\(result.errors)")
            return result.output.count / 2
        }
        #expect(try frames("Ab.\n\nCd.\n\n") == 6 * 1600 + 9600)
        #expect(try frames("\n\n…\n\nAb.\n\n * \n\nCd.\n") >= 6 * 1600 + 9600)
        #expect(try frames("Ab. Cd.") == 6 * 1600 + 4000)
    }
}
