import EngineKit
import SynthJSON

/// A voice's configuration, `<voice>.onnx.json`, as written by Piper's training code.
struct PiperConfiguration: Decodable, Sendable {
    struct Audio: Decodable, Sendable {
        var sample_rate: Int
    }

    struct Espeak: Decodable, Sendable {
        var voice: String?
    }

    struct Inference: Decodable, Sendable {
        var noise_scale: Float?
        var length_scale: Float?
        /// This value is called `noise_w_scale` outside configuration files.
        var noise_w: Float?
        /// Seconds of silence after a symbol.
        var phoneme_silence: [String: Double]?
    }

    var audio: Audio
    var espeak: Espeak?
    /// A BCP 47 tag, which only some files contain.
    var lang_code: String?
    var phoneme_type: String?
    var phoneme_id_map: [String: [Int64]]
    var phoneme_map: [String: [String]]?
    var vowel_clusters: [[String]]?
    var inference: Inference?
    var num_speakers: Int?
    var speaker_id_map: [String: Int64]?
    var default_speaker_id: Int64?

    var noiseScale: Float { inference?.noise_scale ?? 0.667 }
    var lengthScale: Float { inference?.length_scale ?? 1 }
    var noiseWidth: Float { inference?.noise_w ?? 0.8 }
    /// espeak-ng's name for the language.
    var espeakVoice: String { espeak?.voice ?? lang_code?.lowercased() ?? "en-us" }
    var speakerCount: Int64 { Int64(max(num_speakers ?? 1, 1)) }

    /// One published voice declares 22500 instead of 22050.
    var sampleRate: Int { audio.sample_rate == 22_500 ? 22_050 : audio.sample_rate }

    init(json: [UInt8]) throws(EngineError) {
        guard let node = try? JSONReader.read(json, allowsRepeatedKeys: true) else {
            throw PiperFailure.config("is not JSON")
        }
        do {
            self = try node.decode(Self.self)
        } catch {
            throw PiperFailure.of(error)
        }
    }

    /// Returns the index of the speaker with this name or number, or of the default speaker if `name` is `nil`.
    func speaker(_ name: String?) throws(EngineError) -> Int64 {
        guard let name else { return default_speaker_id ?? 0 }
        let names = speaker_id_map ?? [:]
        if let number = names[name] { return number }
        if let number = Int64(name), (0..<speakerCount).contains(number) { return number }
        guard speakerCount > 1 else {
            throw EngineError(.badRequest, "This voice has no speaker \"\(name)\"; it has only one speaker.")
        }
        let known = names.sorted { $0.value < $1.value }.map(\.key)
        let list =
            known.isEmpty
            ? "0 to \(speakerCount - 1)"
            : known.prefix(8).joined(separator: ", ") + (known.count > 8 ? " and \(known.count - 8) more" : "")
        throw EngineError(.badRequest, "This voice has no speaker \"\(name)\". Its speakers are \(list).")
    }
}
