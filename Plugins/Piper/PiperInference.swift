import EngineKit
import SynthInference

/// A voice's model, which all lanes share.
struct PiperInference: Sendable {
    let model: CachedSession
    let contract: PiperContract

    init(model path: String, threads: Int, cacheDirectory: String?, _ configuration: PiperConfiguration) throws {
        do {
            model = try CachedSession(
                model: path,
                // The only node with this operation rounds the durations. No published voice returns them as an output.
                exposing: "Ceil", threads: threads, cacheDirectory: cacheDirectory, rewrittenAs: .vits)
        } catch {
            throw PiperFailure.of(error)
        }
        let session = model.session
        do throws(EngineError) {
            contract = try PiperContract(session)
            guard configuration.speakerCount == 1 || contract.takesSpeaker else {
                throw PiperFailure.model(
                    "has one speaker, but its configuration lists \(configuration.speakerCount) speakers")
            }
        } catch {
            session.abandonCache()
            throw error
        }
        model.rewrite(
            checkedBy: contract.check(configuration), debug: { EngineLog.debug($0) },
            warning: { EngineLog.warning($0) })
        EngineLog.info(session.form.description)
        EngineLog.debug(
            session.isFromCache ? "the model was loaded from the cache" : "the model was loaded from its file")
    }
}

/// The role of each input and output of a model. Exports differ, so types are checked as well as names.
struct PiperContract: Sendable {
    static let ids = "input"
    static let lengths = "input_lengths"
    static let scales = "scales"
    static let speaker = "sid"
    static let language = "langid"

    /// The number of IDs in the input that is used to compare two graphs. It yields about a second of audio.
    private static let checkedIDs = 24

    let takesSpeaker: Bool
    let takesLanguage: Bool
    let audio: String
    /// The name of the output with the number of frames per ID; `nil` if the model does not return it.
    let durations: String?

    init(_ session: InferenceSession) throws(EngineError) {
        let names = session.inputs.map(\.name)
        if names.contains("style"), names.contains("speed") {
            throw PiperFailure.model("is a Kokoro voice, which the Piper engine cannot speak")
        }
        for (name, element) in [
            (Self.ids, TensorDescription.Element.int64), (Self.lengths, .int64), (Self.scales, .float32),
        ] {
            guard let input = session.inputs.first(where: { $0.name == name }) else {
                throw PiperFailure.model("is not a Piper voice: it has no input \"\(name)\"")
            }
            guard input.element == element else {
                throw PiperFailure.model("is not a Piper voice: its input \"\(name)\" has an unexpected element type")
            }
        }
        let known = [Self.ids, Self.lengths, Self.scales, Self.speaker, Self.language]
        if let other = names.first(where: { !known.contains($0) }) {
            throw PiperFailure.model("is not a supported Piper voice: it has the unknown input \"\(other)\"")
        }
        takesSpeaker = names.contains(Self.speaker)
        takesLanguage = names.contains(Self.language)

        let numbers = session.outputs.filter { $0.element == .float32 && $0.name != session.exposed }
        guard let audio = numbers.first(where: { $0.name == "output" }) ?? numbers.first else {
            throw PiperFailure.model("is not a Piper voice: it returns no audio")
        }
        self.audio = audio.name
        durations = session.exposed ?? numbers.first { $0.name != audio.name }?.name
    }

    /// Returns sample input for comparing the results of two graphs: some of the voice's symbols in ID order, without
    /// noise.
    func check(_ configuration: PiperConfiguration) -> RewriteCheck {
        let ids = Set(configuration.phoneme_id_map.values.joined()).sorted().prefix(Self.checkedIDs)
        return RewriteCheck(
            inputs(ids: Array(ids), speaker: 0, noise: 0, length: configuration.lengthScale, width: 0), output: audio,
            sampleRate: configuration.sampleRate)
    }

    func inputs(
        ids: [Int64], speaker: Int64, noise: Float, length: Float, width: Float
    ) -> [(name: String, tensor: InferenceTensor)] {
        var inputs: [(name: String, tensor: InferenceTensor)] = [
            (Self.ids, InferenceTensor(ids, shape: [1, Int64(ids.count)])),
            (Self.lengths, InferenceTensor([Int64(ids.count)], shape: [1])),
            (Self.scales, InferenceTensor([noise, length, width], shape: [3])),
        ]
        if takesSpeaker { inputs.append((Self.speaker, InferenceTensor([speaker], shape: [1]))) }
        if takesLanguage { inputs.append((Self.language, InferenceTensor([Int64(0)], shape: [1]))) }
        return inputs
    }
}
