import CSynthEngine
import SynthEngineProcesses
import SynthEngineLoading
import SynthEngineWire

/// An engine with a validated table.
struct LoadedEngine: Plugin {
    let table: LoadedTable
    let subject: Subject

    init(_ table: LoadedTable, _ subject: Subject) {
        self.table = table
        self.subject = subject
    }

    func can(_ capability: synth_capability) -> Bool { table.engine.capabilities & capability.rawValue != 0 }

    func voices() -> [synth_voice] { list(table.engine.voice, most: 20_000) { synth_voice_known($0) } }
    func items() -> [PluginItem] { voices().map { PluginItem($0) } }

    func trial() throws -> any Trial { try Session(subject, self) }

    func tryOut(_ choice: PluginChoice) throws -> TableAnswer {
        let model = try load(choice)
        let lane = try model.open()
        let error = ErrorProbe()
        let request = LaneRequest(
            .text(Session.sentence), language: nil,
            voices: [SynthEngineWire.VoiceUse(id: choice.id, files: choice.voiceFiles)], rate: 1, pitch: 1, wants: [],
            serial: 1)
        subject.step("speaking with this file")
        let status = lane.speak(request, to: RecordingSink(), error)
        lane.close()
        model.unload()
        return TableAnswer(status, error)
    }
}

extension Subject {
    /// Returns the engine with its table. No model is loaded yet.
    func engine(host: UnsafePointer<synth_host> = ProbeHost.pointer) throws -> LoadedEngine {
        let library = try library()
        step("synth_engine_entry ran")
        do {
            let answer = library.table(abi: UInt32(SYNTH_ABI), host: host)
            let engine = LoadedEngine(try LoadedTable(answer: answer), self)
            reportIdentity(engine.identity)
            return engine
        } catch {
            throw CheckFinding.skipped(error)
        }
    }
}

typealias ProbedSpeakingLane = ProbedLane<LoadedTable>

extension ProbedSpeakingLane {
    /// Synthesizes a request and passes the output to `sink`. Returns when the engine returns.
    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink, _ error: borrowing ErrorProbe) -> synth_status {
        let arena = CallArena()
        return withExtendedLifetime((arena, sink)) {
            var handed = sink.table
            return synthesize(arena.request(request), &handed, error)
        }
    }

    @discardableResult
    func speak(_ request: LaneRequest, to sink: RecordingSink) -> synth_status {
        let error = ErrorProbe()
        return speak(request, to: sink, error)
    }

    /// Synthesizes from structs that the caller supplies.
    func synthesize(
        _ request: UnsafePointer<synth_request>?, _ sink: UnsafePointer<synth_sink>?, _ error: borrowing ErrorProbe
    ) -> synth_status {
        table.synthesize(pointer, request, sink, error.pointer)
    }
}
