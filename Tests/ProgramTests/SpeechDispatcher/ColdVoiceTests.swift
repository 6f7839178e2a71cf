import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Neural voices in the speech-dispatcher module", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct ColdVoiceTests {
    private let home: UserHome

    init() throws {
        home = try UserHome(programs: BuildFolder.path)
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        let added = try home.run("models", "add", "\(root)/Fixtures/Voices/en_US-tern-x_low.onnx")
        #expect(added.code == 0, "\(added.errors)")
    }

    private func module(_ options: String) throws -> ModuleProcess {
        try home.write(options, to: "synthhost.conf")
        let module = try ModuleProcess(home, options: home.file("synthhost.conf"))
        try module.start()
        return module
    }

    private func sound(_ module: ModuleProcess) throws -> [Int16] {
        let events = try module.speak("Hello there.")
        #expect(events.outline == ["701", "~", "702"])
        return events.flatMap(\.sound)
    }

    @Test("While a voice is being loaded, a different voice speaks the first words")
    func firstWords() throws {
        let builtIn = try sound(try module("Voice \"English (America)\""))
        let module = try module("Voice Tern")
        #expect(try sound(module) == builtIn)
        let deadline = ContinuousClock.now + .seconds(600)
        var heard = builtIn
        while heard == builtIn, ContinuousClock.now < deadline { heard = try sound(module) }
        #expect(heard != builtIn)
        #expect(module.engines.count == 2)
        #expect(String(decoding: module.process.errors, as: UTF8.self).isEmpty)
    }

    @Test("With `FirstWords wait`, the voice itself speaks the first words")
    func waiting() throws {
        let builtIn = try sound(try module("Voice \"English (America)\""))
        #expect(try sound(try module("FirstWords wait\nVoice Tern")) != builtIn)
    }
}
