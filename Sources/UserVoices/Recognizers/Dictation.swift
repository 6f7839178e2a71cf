import EngineProcesses
import EngineWire
package import Listening
import Recognizers
import SynthAudio
import Synthesis
import System
import Verbalization
package import VoiceCatalogue

/// What is expected to be said.
package enum ExpectedSpeech: Equatable, Sendable {
    case anything
    case number
    /// One of these.
    case names([String])
}

/// What was said into a microphone.
package struct HeardSpeech: Sendable {
    /// All of it; empty if nobody spoke, or nothing was understood.
    package let text: String
    /// From 0 to 1; nil = the recognizer does not say.
    package let confidence: Double?
    /// If a number was expected; nil = none was said.
    package let number: Double?
    /// If names were expected, the nearest; nil = none is near.
    package let name: NearestName?
    package let recording: Listener.Recording
}

/// A recognizer with a model, ready to listen to a microphone. Its process starts with `prepare`. Any thread may end it.
package final class Dictation: Sendable {
    package let model: HearingModel
    /// Of the sound that is heard, in hertz.
    package let rate: UInt32
    private let recognizer: Recognizer
    private let load: LoadRequest
    private let request: HearingRequest
    private let expected: ExpectedSpeech
    /// Of a language; what is spoken if the recognizer does not say.
    private let verbalizer: @Sendable (String) -> Verbalizer?
    private let language: String
    private let lane = Monitor<RecognizerLane?>(nil)

    fileprivate init(
        _ recognizer: Recognizer, _ load: LoadRequest, _ choice: HearingChoice, _ request: HearingRequest,
        _ expected: ExpectedSpeech, _ language: String, _ verbalizer: @escaping @Sendable (String) -> Verbalizer?
    ) {
        self.recognizer = recognizer
        self.load = load
        self.request = request
        self.expected = expected
        self.language = language
        self.verbalizer = verbalizer
        model = choice.model
        rate = choice.recognizer.sampleRate
    }

    /// Loads the model. Blocks meanwhile.
    package func prepare() throws(Listener.Failure) {
        do throws(EngineFailure) {
            let opened = try recognizer.openLane(on: load)
            lane.update { $0 = opened }
        } catch {
            throw .recognizer(error)
        }
    }

    /// Opens the microphone and listens: see `Listener.run`.
    ///
    /// - Parameters:
    ///   - device: as ALSA names it.
    ///   - isStopped: whether nobody wants to hear more.
    package func listen(
        on device: String, _ limits: Listener.Limits, keepsSound: Bool,
        unless isStopped: @escaping @Sendable () -> Bool, _ event: @escaping @Sendable (Listener.Event) -> Void
    ) throws(Listener.Failure) -> HeardSpeech {
        if lane.read({ $0?.isAlive }) != true { try prepare() }
        guard let lane = lane.read({ $0 }) else { throw .noThread }
        let microphone: ALSACapture
        do throws(AudioError) {
            microphone = try ALSACapture(device: device, rate: Int(rate))
        } catch {
            throw .microphone(error)
        }
        let heard = Monitor<[HeardText]>([])
        let recording = try Listener(rate: rate, limits, keepsSound: keepsSound).run(
            request, by: lane, { () throws(AudioError) in try microphone.read() }, stop: { microphone.stop() },
            close: { microphone.close() }, unless: isStopped
        ) { told in
            if case .text(let text) = told, !text.text.isEmpty { heard.update { $0.append(text) } }
            event(told)
        }
        return speech(heard.read { $0 }, recording)
    }

    private func speech(_ texts: [HeardText], _ recording: Listener.Recording) -> HeardSpeech {
        let text = texts.map(\.text).joined(separator: " ")
        let confidences = texts.compactMap(\.confidence).map(Double.init)
        var (number, name): (Double?, NearestName?) = (nil, nil)
        switch expected {
        case .anything: break
        case .number: number = verbalizer(texts.compactMap(\.language).first ?? language)?.number(heard: text)
        case .names(let names): name = NearestName(of: names, heard: text)
        }
        return HeardSpeech(
            text: text, confidence: confidences.min(), number: number, name: name, recording: recording)
    }

    /// Ends its process at once; `listen` throws. Never blocks.
    package func end() { recognizer.abandon() }
}

extension Inventory {
    /// - Parameters:
    ///   - language: what is spoken (BCP-47); nil = the recognizer finds out.
    ///   - onLog: gets the lines that the recognizer logs.
    package func dictation(
        by choice: HearingChoice, language: String?, expecting expected: ExpectedSpeech = .anything,
        onLog: @escaping @Sendable (String) -> Void
    ) -> Dictation {
        let (recognizer, load) = recognizer(of: choice, onLog: onLog)
        let hints =
            switch expected {
            case .anything: HearingHints()
            case .number: HearingHints(.number)
            case .names(let names): HearingHints(.choice, phrases: names)
            }
        let own = host.language.flatMap { choice.model.understands($0) ? $0 : nil }
        let verbalizers = host.verbalizers
        return Dictation(
            recognizer, load, choice, HearingRequest(language: language, hints: hints), expected,
            language ?? own ?? choice.model.languages.first ?? "en"
        ) { verbalizers?.verbalizer(of: $0) }
    }
}
