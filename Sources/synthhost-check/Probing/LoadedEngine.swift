import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// An engine with a validated table.
struct LoadedEngine: Plugin {
    let table: LoadedTable<synth_engine>
    let subject: Subject

    func can(_ capability: synth_capability) -> Bool { table.fields.capabilities & capability.rawValue != 0 }

    func voices() -> [synth_voice] { list(table.fields.voice, most: 20_000) { synth_voice_known($0) } }
    func items() -> [PluginItem] { voices().map { PluginItem($0) } }

    func trial() throws -> any Trial { try Session(subject, self) }

    func tryOut(_ choice: PluginChoice, on lane: ProbedSpeakingLane, _ error: borrowing ErrorProbe) -> synth_status {
        let voice = SynthEngineWire.VoiceUse(id: choice.id, files: choice.voiceFiles)
        subject.step("speaking with this file")
        return lane.speak(LaneRequest(.text(Session.sentence), voices: [voice], serial: 1), to: RecordingSink(), error)
    }
}

typealias ProbedSpeakingLane = ProbedLane<synth_engine>

extension ProbedSpeakingLane {
    /// Synthesizes a request and passes the output to `sink`. Returns when the engine returns.
    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        return withExtendedLifetime((arena, sink)) {
            var handed = sink.table
            return table.work(pointer, arena.request(request), &handed, error.pointer)
        }
    }
}
