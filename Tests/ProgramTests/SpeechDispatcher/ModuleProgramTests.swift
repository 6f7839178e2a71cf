import Foundation
import Testing
import TestSupport

@Suite("The speech-dispatcher module", .ownThreads)
struct ModuleProgramTests {
    private let home: UserHome

    init() throws { home = try UserHome() }

    /// Text whose audio exceeds the capacity of all pipes and queues, so that the module keeps speaking until the audio
    /// is read or stopped.
    private static let longText = String(repeating: "This is one of many sentences. ", count: 3000)

    @Test("No engine is started before it is needed for speech")
    func speak() throws {
        let module = try ModuleProcess(home)
        #expect(try module.ask("INIT") == "299 OK LOADED SUCCESSFULLY")
        #expect(module.engines.isEmpty)
        try module.send("LIST VOICES en\n")
        let voices = try module.next()
        #expect(voices.last == "200 OK VOICE LIST SENT")
        #expect(voices.lines.contains { $0.hasPrefix("200-English_(America)\ten-US\t") })
        #expect(!voices.lines.contains { $0.contains("Tone") })
        let events = try module.speak("<speak>Hello world.<mark name=\"__spd_0\"/> Second one.</speak>")
        #expect(events.outline == ["701", "~", "__spd_0", "~", "702"])
        #expect(events.contains { message in message.sound.contains { abs(Int($0)) > 1000 } })
        #expect(events.first { $0.code == "705" }?.lines.contains("705-sample_rate=22050") == true)
        let engines = module.engines
        #expect(engines.count == 1)
        #expect(try module.ask("QUIT") == "210 OK QUIT")
        #expect(try module.process.finish(within: .seconds(300)).code == 0)
        #expect(engines.allSatisfy { ProcessTable.waitForEnd(of: $0) })
    }

    @Test("Rate and volume settings change the audio")
    func settings() throws {
        let module = try ModuleProcess(home)
        try module.start()
        let usual = try module.speak("How are you today?")
        _ = try module.ask("SET")
        #expect(try module.ask("rate=100\nvolume=0\n.") == "203 OK SETTINGS RECEIVED")
        let other = try module.speak("How are you today?")
        func peak(_ events: [ModuleMessages.Message]) -> Int {
            events.flatMap(\.sound).map { abs(Int($0)) }.max() ?? 0
        }
        let softer = Double(peak(other)) / Double(peak(usual))
        #expect(softer > 0.3 && softer < 0.75)
    }

    @Test("The speed of speech, including pauses, matches the server's rate to within 3%")
    func rates() throws {
        let module = try ModuleProcess(home)
        try module.start()
        let text =
            "How are you today? I am well, thank you; the others are well, too. They came home yesterday, all of them."
        let usual = Double(try module.speak(text).frames)
        for (rate, factor) in [(100, 4), (50, 2), (-100, 0.5)] {
            _ = try module.ask("SET")
            #expect(try module.ask("rate=\(rate)\n.") == "203 OK SETTINGS RECEIVED")
            let reached = usual / Double(try module.speak(text).frames)
            #expect(abs(reached / factor - 1) < 0.03, "\(rate): \(reached)")
        }
    }

    @Test("The punctuation mode \"some\" differs from \"none\"")
    func punctuation() throws {
        let module = try ModuleProcess(home)
        try module.start()
        func frames(_ mode: String) throws -> Double {
            _ = try module.ask("SET")
            #expect(try module.ask("punctuation_mode=\(mode)\n.") == "203 OK SETTINGS RECEIVED")
            return Double(try module.speak("Hello, world (again); this: is it!").frames)
        }
        let none = try frames("none")
        let some = try frames("some")
        let all = try frames("all")
        #expect(some > 1.3 * none && all > 1.2 * some)
    }

    @Test("If an engine is killed, the message ends, and the next one is spoken")
    func killedEngine() throws {
        let module = try ModuleProcess(home)
        try module.start()
        try module.begin(Self.longText)
        #expect(try module.next().code == "701")
        let engine = try #require(module.engines.first)
        kill(engine, SIGKILL)
        #expect(try module.events().last?.code == "703")
        #expect(try module.speak("Again").outline == ["701", "~", "702"])
        #expect(String(decoding: module.process.errors, as: UTF8.self).contains("sd_synthhost: The engine espeak-ng"))
    }

    @Test(
        "When a signal arrives or the server exits, the module and its engines exit immediately",
        arguments: [SIGTERM, SIGINT, SIGHUP, 0])
    func ending(signal: Int32) throws {
        let module = try ModuleProcess(home)
        try module.start()
        try module.begin(Self.longText)
        #expect(try module.next().code == "701")
        let engines = module.engines
        #expect(!engines.isEmpty)
        if signal == 0 { module.process.closeInput() } else { module.process.signal(signal) }
        let result = try module.process.finish(within: .seconds(300))
        #expect(result.code == (signal == 0 ? 0 : 128 + signal))
        #expect(engines.allSatisfy { ProcessTable.waitForEnd(of: $0) })
    }

    @Test("Configuration errors are reported, but the module still speaks")
    func configuration() throws {
        try home.write("{ \"rate\": \"fast\" }", to: "config/synthhost/config.json")
        try home.write("# none\nFirstWords later\nVoice \"English (America)\"\n", to: "synthhost.conf")
        let module = try ModuleProcess(home, options: home.file("synthhost.conf"))
        try module.start()
        #expect(try module.speak("Hello").outline == ["701", "~", "702"])
        _ = try module.ask("QUIT")
        let said = try module.process.finish().errors
        #expect(said.contains("synthhost.conf, line 2: FirstWords cannot be \"later\"."))
        #expect(said.contains("synthhost's configuration is ignored."))
        #expect(said.contains("line 1: \"rate\" must be"))
        #expect(said.split(separator: "\n").count == 2)
    }

    @Test("A missing component of synthhost is reported")
    func missingPart() throws {
        let folder = home.file("alone")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try GeneratedProgram.copy("\(home.programs)/sd_synthhost", to: "\(folder)/sd_synthhost")
        // The test requires that synthhost not be installed on this machine.
        guard access("/usr/local/lib/synthhost/synthhost-worker", X_OK) != 0,
            access("/usr/lib/synthhost/synthhost-worker", X_OK) != 0
        else { return }
        let module = try ChildProcess(
            "\(folder)/sd_synthhost", arguments: [], environment: home.environmentOfCopies, input: .pipe)
        try module.feed(Array("INIT\n".utf8))
        let result = try module.finish(within: .seconds(300))
        #expect(result.code == 1)
        let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 2 && lines[0].contains("synthhost-worker") && lines[1] == "399 ERR CANT INIT MODULE")
    }
}
