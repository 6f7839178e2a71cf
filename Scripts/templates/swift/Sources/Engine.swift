import CSynthEngine
import EngineKit

@c @implementation
public func synth_engine_entry(_ abi: UInt32, _ host: EngineHost?) -> EngineTable? {
    @TYPE@.table(abi: abi, host: host)
}

/// Beeps once for each word. Your own code starts in `speak`.
///
/// An engine has no access to the network, devices or additional folders. An engine that needs them declares this in
/// the description, as in `needs: [EngineNeed(.network, reason: "A server speaks.")]`, and the user has to allow each
/// need by name.
enum @TYPE@: EnginePlugin {
    static let description = EngineDescription(
        id: "@ID@", name: "@NAME@", version: "0.1", license: "Apache-2.0",
        capabilities: [.timesWords, .isDeterministic, .streams], rates: 0.5...2)

    static func voices() -> [EngineVoice] {
        [
            EngineVoice(id: "high", name: "High", language: "en", model: "@ID@"),
            EngineVoice(id: "low", name: "Low", language: "en", model: "@ID@"),
        ]
    }

    /// `files.files.path("weights")` is the path of the file with that role, which `description` must declare.
    static func load(_ files: ModelFiles) throws -> @TYPE@Model { @TYPE@Model() }
}

/// The weights, which lanes share.
struct @TYPE@Model: SpeechModel {
    func open() throws -> @TYPE@Lane { @TYPE@Lane() }
}

/// The state of one running request.
struct @TYPE@Lane: SpeechLane {
    private let sampleRate = 24_000

    mutating func speak(_ request: SpeechRequest, to output: borrowing SpeechOutput) throws {
        let periods = ["high": 60, "low": 120]
        guard let period = periods[request.voice.id] else {
            throw EngineError(.badRequest, "@NAME@ has no voice of this name.")
        }
        guard request.voice.speaker == nil else {
            throw EngineError(.badRequest, "Each voice has only one speaker.")
        }
        let count = Int(Float(sampleRate) * 0.2 / request.rate)
        let beep = (0..<count).map { $0 % period < period / 2 ? Float(0.1) : -0.1 }
        let silence = [Float](repeating: 0, count: count / 2)
        for (index, word) in words(of: request.text).enumerated() {
            if index == 0 { try output.begin(sampleRate: sampleRate) }
            try output.word(word)
            // Throws if the request has been cancelled. Do not catch that error.
            try output.write(beep)
            try output.write(silence)
        }
    }

    /// The ranges of the words, as UTF-8 offsets in the text.
    private func words(of text: String) -> [Range<Int>] {
        text.split(whereSeparator: \.isWhitespace).map { word in
            let start = text.utf8.distance(from: text.startIndex, to: word.startIndex)
            return start..<start + word.utf8.count
        }
    }
}
