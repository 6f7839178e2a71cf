import Foundation
import SynthCatalogue
import SynthHost
import SynthHostTesting
import SynthSystem
import Testing
import TestNumbers
import TestSupport

@testable import SynthService
@testable import SynthSpeechDispatcher

@Suite("The speech-dispatcher module", .ownThreads)
struct SpeechModuleTests {
    private let engine = TestEngine(framesPerByte: 10)
    private let double: TestBackend
    private let service: SpeechService

    init() {
        double = TestBackend(engine)
        service = SpeechService(double)
    }

    @Test("The module starts, accepts settings, and quits when requested")
    func conversation() throws {
        let server = try ModuleConversation(service)
        try server.send("INIT\n")
        #expect(try server.next().lines == ["299-synthhost is ready.", "299 OK LOADED SUCCESSFULLY"])
        let answers = [
            ("AUDIO", "audio_output_method=server", "203 OK AUDIO INITIALIZED"),
            ("LOGLEVEL", "log_level=2", "203 OK LOGLEVEL SET"),
            ("LOGLEVEL", "log_level=high", "303 ERROR INVALID PARAMETER OR VALUE"),
            ("SET", "rate=1\npitch=2", "203 OK SETTINGS RECEIVED"),
            ("SET", "rate=x", "303 ERROR INVALID PARAMETER OR VALUE"),
            ("SET", "nonsense", "302 ERROR BAD SYNTAX"),
            ("CHAR", "a\nb", "305 DATA MORE THAN ONE LINE"),
            ("SPEAK", "", "301 ERROR CANT SPEAK"),
        ]
        for (request, lines, answer) in answers {
            #expect(try server.ask(request, lines) == answer, "\(request) \(lines)")
        }
        #expect(try server.ask("HELLO") == "300 ERR UNKNOWN COMMAND")
        #expect(try server.ask("LIST VOICES a b c") == "302 ERROR BAD SYNTAX")
        _ = try server.ask("AUDIO")
        try server.send("audio_output_method=alsa\n.\n")
        let refusal = try server.next().lines
        #expect(refusal.count == 2 && refusal[0].hasPrefix("300-The audio output method"))
        #expect(refusal[0].contains("\"alsa\"") && refusal[1] == "300 MODULE ERROR")
        try server.send("LIST VOICES\n")
        #expect(
            try server.next().lines == [
                "200-Ann\ten\tnone", "200-Bob\ten\tnone", "200-Eve\ten\tnone", "200 OK VOICE LIST SENT",
            ])
        #expect(try server.ask("LIST VOICES de") == "304 CANT LIST VOICES")
        #expect(try server.ask("QUIT") == "210 OK QUIT")
        #expect(server.hasEnded())
    }

    @Test("Marks are reported within the audio of speech, as are its start and end")
    func speak() throws {
        let server = try ModuleConversation(service)
        let events = try server.speak("<speak>Hello there.<mark name=\"__spd_0\"/> And you?</speak>")
        #expect(events.outline == ["701", "~", "__spd_0", "~", "702"])
        #expect(events.frames >= 21 * 10)
        #expect(engine.spoken == ["Hello there.", "And you?"])
        let before = try #require(events.firstIndex { $0.code == "700" })
        #expect(Array(events[..<before]).frames >= 12 * 10 && Array(events[before...]).frames >= 8 * 10)
        #expect(try server.speak("<speak></speak>").outline == ["701", "702"])
        #expect(try server.speak("<speak><mark name=\"a\"/></speak>").outline == ["701", "a", "702"])
    }

    @Test(
        "Text that is not valid SSML is spoken without its tags and with its marks",
        arguments: [
            ("Fish & chips", ["Fish & chips"], ["701", "~", "702"]),
            ("<speak>One<mark name=\"m\"/> two</speek>", ["One two"], ["701", "~", "m", "~", "702"]),
            ("<speak>a <break time=\"long\"/>b</speak>", ["a  b"], ["701", "~", "702"]),
            ("<speak><voice name=\"Nobody\">Hello</voice></speak>", ["Hello"], ["701", "~", "702"]),
            ("<speak><audio src=\"/etc/passwd\">Ding</audio></speak>", ["Ding"], ["701", "~", "702"]),
            ("<speak><audio src=\"/etc/passwd\"/>Dong</speak>", ["Dong"], ["701", "~", "702"]),
        ])
    func malformed(text: String, spoken: [String], outline: [String]) throws {
        let server = try ModuleConversation(service)
        #expect(try server.speak(text).outline == outline)
        let words = engine.spoken.map { $0.split(separator: " ").joined(separator: " ") }
        #expect(words == spoken.map { $0.split(separator: " ").joined(separator: " ") })
    }

    @Test("Characters, keys and sound icons are spoken by name")
    func names() throws {
        let server = try ModuleConversation(service)
        for (request, line) in [("CHAR", "space"), ("CHAR", ".."), ("KEY", "control_Home"), ("SOUND_ICON", "a-bell")] {
            #expect(try server.ask(request, line) == "200 OK SPEAKING")
            #expect(try server.events().outline == ["701", "~", "702"])
        }
        #expect(engine.spoken == ["space", "dot", "control home", "a bell"])
    }

    @Test("A stop request ends speech immediately and gets no response if nothing is being spoken")
    func stop() throws {
        let server = try ModuleConversation(service)
        try server.send("STOP\nSTOP\nPAUSE\n")
        engine.hold()
        #expect(try server.ask("SPEAK", "Hello") == "200 OK SPEAKING")
        engine.waitForSentences(1)
        try server.send("STOP\nSTOP\n")
        #expect(try server.events().outline == ["701", "703"])
        try server.send("STOP\n")
        engine.release()
        #expect(try server.speak("Again").outline == ["701", "~", "702"])
        #expect(engine.spoken == ["Hello", "Again"])
    }

    @Test("A stop request also ends a message whose voice has not been found yet")
    func stopWhileFinding() throws {
        let server = try ModuleConversation(service)
        double.hold(true)
        #expect(try server.ask("SPEAK", "One") == "200 OK SPEAKING")
        try server.send("STOP\n")
        #expect(try server.events().outline == ["701", "703"])
        #expect(try server.ask("SPEAK", "Two") == "200 OK SPEAKING")
        double.hold(false)
        #expect(try server.events().outline == ["701", "~", "702"])
        #expect(engine.spoken == ["Two"])
    }

    @Test("A second text that arrives before the end of the first text is rejected")
    func busy() throws {
        let server = try ModuleConversation(service)
        engine.hold()
        #expect(try server.ask("SPEAK", "One") == "200 OK SPEAKING")
        #expect(try server.ask("SPEAK", "Two") == "301 ERROR CANT SPEAK")
        engine.release()
        #expect(try server.events().outline == ["701", "~", "702"])
        #expect(engine.spoken == ["One"])
    }

    @Test("A pause request takes effect at the server's next mark or at the end of the text")
    func pause() throws {
        let server = try ModuleConversation(service)
        for (text, outline) in [
            (
                "<speak>One.<mark name=\"own\"/> Two.<mark name=\"__spd_0\"/> Three.</speak>",
                ["701", "~", "own", "~", "__spd_0", "704"]
            ),
            ("<speak>One. Two.</speak>", ["701", "~", "__spd_-1", "704"]),
            (
                "<speak><mark name=\"__spd_7\"/>One.<mark name=\"own\"/> Two.</speak>",
                ["701", "~", "__spd_7", "704"]
            ),
        ] {
            engine.hold()
            let count = engine.spoken.count
            #expect(try server.ask("SPEAK", text) == "200 OK SPEAKING")
            engine.waitForSentences(count + 1)
            try server.send("PAUSE\nHELLO\n")
            var events: [ModuleMessages.Message] = []
            // The response shows that the preceding request has been read.
            while true {
                let message = try server.next("the answer")
                if message.last == "300 ERR UNKNOWN COMMAND" { break }
                events.append(message)
            }
            engine.release()
            events += try server.events()
            #expect(events.outline == outline)
        }
        #expect(try server.speak("<speak>One.<mark name=\"__spd_0\"/> Two.</speak>").outline.last == "702")
    }

    @Test("If a pause request arrives after the last mark, the last sentence is repeated")
    func pauseAfterLastMark() throws {
        let server = try ModuleConversation(service)
        // The text is longer than the buffers between the module and a server that does not read.
        let rest = String(repeating: "and so on ", count: 5000)
        #expect(try server.ask("SPEAK", "<speak>One.<mark name=\"__spd_3\"/> \(rest)</speak>") == "200 OK SPEAKING")
        while try server.next("the mark").code != "700" {}
        try server.send("PAUSE\n")
        let outline = try server.events().outline
        #expect(outline == ["~", "__spd_3", "704"])
    }

    @Test("An error ends the message, and the next one is spoken")
    func failure() throws {
        let server = try ModuleConversation(service)
        engine.crash(at: "bad")
        #expect(try server.speak("Good. This is bad luck. More.").outline == ["701", "~", "703"])
        engine.crash(at: nil)
        #expect(try server.speak("Again").outline == ["701", "~", "702"])
        #expect(server.notes.read { $0.count } == 1)
        double.fail(SpeechError(VoiceError.noEngine))
        #expect(try server.speak("No voice").outline == ["701", "703"])
        double.fail(nil)
        #expect(try server.speak("Here").outline == ["701", "~", "702"])
    }

    @Test("While the requested voice is being loaded, a different voice speaks the first words")
    func firstWords() throws {
        let other = TestEngine(framesPerByte: 10)
        double.enginesOfVoices.update { $0["Bob"] = other }
        double.spare.update { [bob = try double.voice(VoiceQuery(name: "Bob"))] spare in spare = bob }
        double.loading.update { $0.insert("Ann") }
        let server = try ModuleConversation(service)
        #expect(try server.speak("First").outline == ["701", "~", "702"])
        #expect(other.spoken == ["First"] && engine.spoken.isEmpty)
        double.loading.update { $0.remove("Ann") }
        service.waitForLoading()
        #expect(try server.speak("Second").outline == ["701", "~", "702"])
        #expect(other.spoken == ["First"] && engine.spoken == ["Second"])
    }

    @Test("If a voice cannot be loaded, a different voice speaks, and loading is not retried immediately")
    func unloadable() throws {
        let other = TestEngine(framesPerByte: 10)
        double.enginesOfVoices.update { $0["Bob"] = other }
        double.spare.update { [bob = try double.voice(VoiceQuery(name: "Bob"))] spare in spare = bob }
        double.broken.update { $0.insert("Ann") }
        var limits = ServiceLimits()
        limits.preloadRetryDelay = .seconds(3600)
        let server = try ModuleConversation(SpeechService(double, limits))
        for text in ["One", "Two", "Three"] {
            #expect(try server.speak(text).outline == ["701", "~", "702"])
            let isTold = server.notes.wait(timeout: ModuleConversation.limit) { $0.isEmpty ? nil : true }
            #expect(isTold == true)
        }
        #expect(other.spoken == ["One", "Two", "Three"] && server.notes.read { $0.count } == 1)
    }

    @Test("A voice whose engine takes no time to load speaks the first words itself")
    func sameEngine() throws {
        double.spare.update { [bob = try double.voice(VoiceQuery(name: "Bob"))] spare in spare = bob }
        let server = try ModuleConversation(service)
        #expect(try server.speak("First").outline == ["701", "~", "702"])
        #expect(double.made.read { $0 } == ["Ann"])
    }

    @Test("If the module is set to wait for the requested voice, it uses a different voice only if loading fails")
    func waiting() throws {
        let other = TestEngine(framesPerByte: 10)
        double.enginesOfVoices.update { $0["Bob"] = other }
        double.spare.update { [bob = try double.voice(VoiceQuery(name: "Bob"))] spare in spare = bob }
        var options = ModuleOptions()
        options.firstWords = .wait
        let server = try ModuleConversation(service, options)
        #expect(try server.speak("First").outline == ["701", "~", "702"])
        #expect(engine.spoken == ["First"])
        options.voice = "Eve"
        double.broken.update { $0.insert("Eve") }
        let second = try ModuleConversation(service, options)
        #expect(try second.speak("Second").outline == ["701", "~", "702"])
        #expect(other.spoken == ["Second"])
    }

    @Test("A voice can be selected by its listed name or its usual name", arguments: ["Bob", "BOB"])
    func chosenVoice(name: String) throws {
        let server = try ModuleConversation(service)
        #expect(try server.ask("SET", "synthesis_voice=\(name)\nlanguage=en") == "203 OK SETTINGS RECEIVED")
        _ = try server.speak("Hello")
        #expect(double.made.read { $0 } == ["Bob"])
        #expect(try server.ask("SET", "synthesis_voice=Nobody") == "203 OK SETTINGS RECEIVED")
        #expect(try server.speak("Hello").outline == ["701", "~", "702"])
        #expect(double.made.read { $0 } == ["Bob", "Ann"])
    }

    @Test("If the server was not reading before a stop request, it receives only complete messages afterward")
    func noReader() throws {
        let server = try ModuleConversation(service)
        let text = String(repeating: "word ", count: 40_000)
        #expect(try server.ask("SPEAK", text) == "200 OK SPEAKING")
        // All buffers are full long before the end of the text.
        engine.waitForSentences(1)
        try server.send("STOP\nLIST VOICES\n")
        // The test waits, because a server that reads before the request takes effect may receive the complete text.
        while service.figures().speeches != .init(running: 0, waiting: 0) {
            _ = try Poll.wait([], timeout: .milliseconds(20))
        }
        var outline = try server.events().outline
        #expect(outline.last == "703" && outline.first == "701")
        outline.removeAll { $0 == "~" }
        #expect(outline == ["701", "703"])
        #expect(try server.next().last == "200 OK VOICE LIST SENT")
    }

    @Test("The module exits when the server disconnects, whatever the module is doing")
    func leaving() throws {
        for request in ["", "SPEAK\nHel", "SPEAK\nHello\n.\n"] {
            let server = try ModuleConversation(service)
            engine.hold()
            try server.send(request)
            server.leave()
            #expect(server.hasEnded(), "\(request)")
            engine.release()
        }
    }

    @Test("The log contains the conversation without audio, and an invalid path is rejected")
    func log() throws {
        let folder = try TemporaryFolder()
        let server = try ModuleConversation(service)
        let path = "\(folder.path)/conversation"
        #expect(try server.ask("DEBUG ON \(path)") == "200 OK DEBUGGING ON")
        _ = try server.speak("Hello")
        #expect(try server.ask("DEBUG OFF") == "200 OK DEBUGGING OFF")
        #expect(try server.ask("HELLO") == "300 ERR UNKNOWN COMMAND")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("< SPEAK|") && text.contains("> 200 OK SPEAKING|") && text.contains("> 702 END|"))
        #expect(text.contains("705-AUDIO (") && !text.contains("\0") && !text.contains("HELLO"))
        for wrong in [folder.path, "/dev/null", "\(folder.path)/none/log"] {
            #expect(try server.ask("DEBUG ON \(wrong)") == "303 CANT OPEN CUSTOM DEBUG FILE")
        }
    }

    @Test("Every accepted message is followed by its end event, whatever else is sent", arguments: 0..<20)
    func random(_ seed: UInt64) throws {
        var random = SeededRandom(seed)
        let server = try ModuleConversation(service)
        let pieces = [
            "SPEAK\n<speak>One.<mark name=\"__spd_0\"/> Two.</speak>\n.\n", "STOP\n", "PAUSE\n", "CHAR\na\n.\n",
            "SET\nrate=50\n.\n", "NONSENSE\n", "LIST VOICES\n", "KEY\nshift_a\n.\n", "SPEAK\n<speak\n.\n", "\0\n",
        ]
        let requests = (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }
        for request in requests { try server.send(request) }
        var (codes, isOpen, hasBegun): ([String], Bool, Bool) = ([], false, false)
        try server.send("STOP\nQUIT\n")
        while codes.last != "210" {
            let message = try server.next("the end")
            codes.append(message.code)
            switch message.code {
            case "200" where message.last == "200 OK SPEAKING":
                #expect(!isOpen)
                (isOpen, hasBegun) = (true, false)
            case "701":
                #expect(isOpen && !hasBegun)
                hasBegun = true
            case "700", "705": #expect(isOpen && hasBegun)
            case "702", "703", "704":
                #expect(isOpen && hasBegun)
                isOpen = false
            default: break
            }
        }
        #expect(!isOpen)
    }
}
