import SynthEngineProcesses
import SynthEngineWire

/// The result of a request on a lane.
struct Speech: Equatable, Sendable {
    var sampleRate = 0
    var samples: [Float] = []
    var events: [SpeechEvent] = []
    var wasSpoken = false
}

extension EngineLane {
    /// Speaks and collects the parts. `shouldContinue` is called after each part and returns false to stop the
    /// request.
    func speak(
        _ text: String, voice: String = "one", wants: EventKinds = [.word],
        shouldContinue: (Speech) -> Bool = { _ in true }
    ) throws(EngineFailure) -> Speech {
        try speak(LaneRequest(.text(text), voices: [VoiceUse(id: voice)], wants: wants), shouldContinue: shouldContinue)
    }

    func speak(_ request: LaneRequest, shouldContinue: (Speech) -> Bool = { _ in true }) throws(EngineFailure) -> Speech
    {
        var speech = Speech()
        speech.wasSpoken = try speak(request) { part in
            switch part {
            case .begin(let sampleRate, _): speech.sampleRate = sampleRate
            case .audio(let samples): speech.samples += samples
            case .event(let event): speech.events.append(event)
            }
            return shouldContinue(speech)
        }
        return speech
    }
}

extension EngineFixture {
    /// The faulty engine, with the description that it returns.
    func engine(
        _ path: String, maxLanes: UInt32 = 0, limits: EngineLimits = .short(), onLog: @escaping EngineLog = { _, _ in }
    ) -> Engine {
        let description = EngineDescription(
            id: "faulty", name: "Faulty", version: "1.0", license: "Apache-2.0", maxLanes: maxLanes,
            voices: [VoiceDescription(id: "one", name: "One", language: "en", model: "one")])
        return Engine(file: path, description: description, program: program, limits: limits, onLog: onLog)
    }

    static let load = LoadRequest(id: "one")
}
