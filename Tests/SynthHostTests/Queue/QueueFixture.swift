import SynthAudio
import SynthHostTesting
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

/// A queue, an engine that the test controls and whose audio has a constant level, and clips that the test creates.
final class QueueFixture {
    static let rate = 16_000
    /// The number of frames per byte of text.
    static let framesPerByte = 100
    /// The queue uses the engine's format so that no audio is converted.
    static let format = SpeechFormat(sampleRate: rate, channels: 1)

    let engine: TestEngine
    let host: SpeechHost
    let queue: SpeechQueue
    let folder: TemporaryFolder

    init(
        _ options: SpeechQueue.Options = SpeechQueue.Options(format: format), lanes: Int = 2,
        framesPerByte: Int = framesPerByte, hearing recognizer: ScriptedRecognizer? = nil
    ) throws {
        engine = TestEngine(sampleRate: Self.rate, framesPerByte: framesPerByte, lanes: lanes)
        host = SpeechHost(testing: engine, hearing: recognizer)
        queue = SpeechQueue(host, options)
        folder = try TemporaryFolder()
    }

    func session() async throws -> SpeechSession { try await host.session(try await host.voice()) }

    /// Writes an audio file in which all samples differ, so that the file's position in a mix can be found. Returns
    /// the path and the samples.
    func ramp(_ name: String, frames: Int, from first: Float = -0.4) throws -> (path: String, samples: [Float]) {
        let samples = (0..<frames).map { first + Float($0 % 6000) / 32_768 }
        return (try write(samples, name), samples.map { Float(FloatPCM.int16($0)) / 32_768 })
    }

    func write(_ samples: [Float], _ name: String, _ format: AudioFormat = AudioFormat(sampleRate: rate, channels: 1))
        throws -> String
    {
        let sink = try SoundFileOptions(try SoundFileFormat.of(path: name)).sink(path: folder.file(name))
        try sink.begin(format)
        try sink.write(samples[...])
        try sink.finish()
        return folder.file(name)
    }

    /// Returns the samples that the engine generates for the text.
    static func spoken(_ text: String) -> [Float] {
        [Float](repeating: 0.25, count: text.utf8.count * framesPerByte)
    }

    static func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }

    /// Plays the queue to the end into a sink that stores the samples.
    func write() throws -> (samples: [Float], events: [SpeechQueue.Event]) {
        let sink = FakeSink()
        var events: [SpeechQueue.Event] = []
        do throws(SpeechError) {
            _ = try queue.deliver(to: sink) { more, _ in events += more }
        } catch {
            throw SpeechError(error)
        }
        return (sink.now.samples, events)
    }
}

extension SpeechQueue.Event {
    /// The event as text for comparisons: the item, its state change, and the frame.
    var words: String {
        switch kind {
        case .began: "\(item.number) began \(frame)"
        case .part(.word(let event)): "\(item.number) word \(frame) \(event.frame) \(event.source)"
        case .part(.sentence(let event)): "\(item.number) sentence \(frame) \(event.frame) \(event.source)"
        case .part(let part): "\(item.number) \(part)"
        case .heard(let event): "\(item.number) heard \(event)"
        case .late: "\(item.number) late \(frame)"
        case .ended(.complete): "\(item.number) ended \(frame)"
        case .ended(.skipped): "\(item.number) skipped \(frame)"
        case .ended(.failed): "\(item.number) failed \(frame)"
        case .ended: "?"
        }
    }
}
