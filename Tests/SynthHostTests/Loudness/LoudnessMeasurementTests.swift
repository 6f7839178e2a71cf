import Foundation
import SynthAudio
import SynthCatalogue
import SynthEngineWire
import SynthModelStore
import SynthSystem
import Testing
import TestSupport

@testable import SynthEngineProcesses
@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Measuring voice loudness", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct LoudnessMeasurementTests {
    @Test("A voice is measured once, and the result is kept until the voice is removed")
    func once() async throws {
        let fixture = try MeasuredHome()
        let voice = try fixture.addPiper()
        let inventory = fixture.host.snapshot()
        #expect(inventory.gain(of: voice) == 0)
        let loudness = try #require(inventory.loudnessMeasurement(of: voice)).run()
        #expect((-30 ... -20).contains(loudness.lufs) && (-12...0).contains(loudness.peak))
        #expect(inventory.loudness(of: voice) == loudness)
        #expect(inventory.gain(of: voice) == loudness.gain)
        #expect(inventory.loudnessMeasurement(of: voice) == nil)
        #expect(fixture.host.snapshot().loudnessMeasurement(of: voice) == nil)
        let session = try inventory.session(VoiceChoice(voice: voice))
        #expect(abs(session.gain.value - loudness.gain) < 0.001)
        _ = try fixture.host.store.remove(voice)
        #expect(inventory.loudness(of: voice) == nil)
        let again = try fixture.addPiper()
        #expect(inventory.loudnessMeasurement(of: again) != nil)
    }

    /// Published voices are within 1 LU of each other. Test voices have random weights, so their loudness is also
    /// random.
    @Test("Once measured, the voices of all engines are within 1.5 LU of each other")
    func alike() async throws {
        let fixture = try MeasuredHome()
        var voices = [try fixture.addPiper(), try fixture.addKokoro("af_tern"), try fixture.addKokoro("bm_tern")]
        for voice in voices { try #require(fixture.host.snapshot().loudnessMeasurement(of: voice)).run() }
        let builtIn = fixture.host.snapshot().ready.voices.filter { $0.engine == "espeak-ng" }
        for id in ["en", "en-us"] { voices.append(try #require(builtIn.first { $0.id == id })) }
        let texts = [
            "It was a bright cold day. The old man put down his bag and looked around, but nobody was waiting for him.",
            "Press the green button to start the machine. If the light stays red, do not open the cover; call for help.",
            "What a wonderful surprise! Sit down, have some tea, and tell me all about your journey over the mountains.",
        ]
        for text in texts {
            var found: [Double] = []
            for voice in voices { found.append(try await fixture.loudness(text, of: voice)) }
            let (softest, loudest) = (found.min() ?? 0, found.max() ?? 0)
            #expect(loudest - softest <= 1.5, "\(found)")
            #expect(abs((softest + loudest) / 2 - VoiceLoudness.target) <= 1, "\(found)")
        }
    }

    @Test(
        "Measurement uses ten sentences, or three on a slow machine, and reports its progress",
        arguments: [(0, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]), (4, [0, 33, 67])])
    func sentences(seconds: Int, percents: [Int]) throws {
        let fixture = try MeasuredHome()
        let voice = try fixture.addPiper()
        let count = Monitor(0)
        let measurement = fixture.host.snapshot().loudnessMeasurement(of: voice) {
            count.update { count in
                count += 1
                return count == 1 ? .zero : .seconds(seconds)
            }
        }
        var told: [Int] = []
        let loudness = try #require(measurement).run { told.append(Int(($0 * 100).rounded())) }
        #expect(told == percents)
        #expect((-30 ... -20).contains(loudness.lufs))
    }

    @Test("Measurement stops when it is cancelled, and the record is unchanged")
    func cancel() throws {
        let fixture = try MeasuredHome()
        let voice = try fixture.addPiper()
        let before = try fixture.record(of: voice)
        let inventory = fixture.host.snapshot()
        let measurement = try #require(inventory.loudnessMeasurement(of: voice))
        measurement.cancel()
        #expect {
            try measurement.run()
        } throws: { error in
            if let failure = (error as? SpeechError)?.cause as? EngineFailure {
                failure.engine == "piper"
            } else {
                false
            }
        }
        #expect(try fixture.record(of: voice) == before)
        #expect(inventory.loudnessMeasurement(of: voice) != nil)
    }

    @Test(
        "An engine that fails or is silent affects only the measurement",
        arguments: ["crash", "exit", "lie", "no mood", "silence"])
    func failing(mood: String) throws {
        let fixture = try MeasuredHome()
        let voice = try fixture.addMoody(mood)
        let before = try fixture.record(of: voice)
        let inventory = fixture.host.snapshot()
        let measurement = try #require(inventory.loudnessMeasurement(of: voice))
        #expect {
            try measurement.run()
        } throws: { error in
            switch (error as? SpeechError)?.cause {
            case let failure as EngineFailure: failure.engine == "moody" && mood != "silence"
            case let error as AudioError: error == .notMeasured(.silent) && mood == "silence"
            default: false
            }
        }
        #expect(try fixture.record(of: voice) == before)
        #expect(inventory.state(of: voice) == .ready)
    }

    @Test("The result is not stored if the measured voice has been replaced by a different one")
    func replaced() throws {
        let fixture = try MeasuredHome()
        let voice = try fixture.addPiper()
        let readings = Monitor(0)
        let measurement = fixture.host.snapshot().loudnessMeasurement(of: voice) {
            let count = readings.update { count in
                count += 1
                return count
            }
            // By now, the model has been loaded.
            if count == 2 { _ = try? fixture.addPiper() }
            return .zero
        }
        #expect {
            try #require(measurement).run()
        } throws: { error in
            if case .removedMeanwhile("tern")? = (error as? SpeechError)?.cause as? StoreError { true } else { false }
        }
        let now = try #require(fixture.host.store.installedVoice(id: voice.id))
        #expect(now.loudness == nil)
    }

    @Test("Built-in voices, example voices and missing voices are not measured")
    func exempt() throws {
        let fixture = try MeasuredHome()
        let inventory = fixture.host.snapshot()
        for engine in ["espeak-ng", "tone"] {
            let voice = try #require(inventory.ready.voices.first { $0.engine == engine })
            #expect(inventory.loudnessMeasurement(of: voice) == nil)
        }
        let absent = try Voice(DeclaredVoice(id: "absent", name: "Absent", language: "en"), by: "piper")
        #expect(inventory.loudnessMeasurement(of: absent) == nil)
    }

    @Test(
        "Measuring espeak-ng's built-in voices yields the gain that the registry lists",
        arguments: ["en", "en-us", "de", "fr", "es", "it", "pt", "pt-br", "nl", "pl", "ru", "cmn", "ja"])
    func builtIn(id: String) throws {
        let fixture = try MeasuredHome()
        let inventory = fixture.host.snapshot()
        let voice = try #require(inventory.ready.voices.first { $0.engine == "espeak-ng" && $0.id == id })
        let plugin = try #require(inventory.plugin(of: voice))
        let engine = try #require(fixture.host.engine(plugin))
        let lane = try engine.openLane(on: LoadRequest(id: voice.id))
        let sound = MeasuredSound(longest: 300)
        for sentence in LoudnessSentences.sentences(in: voice.language, of: fixture.host.installation.languages) {
            _ = try lane.speak(
                LaneRequest(.text(sentence), language: voice.language, voices: [VoiceUse(id: voice.id)]), sound.take)
        }
        let loudness = try #require(sound.loudness)
        #expect(
            abs(loudness.lufs + inventory.gain(of: voice) - VoiceLoudness.target) <= 0.5,
            "\(voice.id) needs \(loudness.gain) dB")
    }
}
