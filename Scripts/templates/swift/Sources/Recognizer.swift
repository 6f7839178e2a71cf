import CSynthEngine
import EngineKit

@c @implementation
public func synth_recognizer_entry(_ abi: UInt32, _ host: EngineHost?) -> RecognizerTable? {
    @TYPE@.table(abi: abi, host: host)
}

/// Counts the segments of audio between pauses. Your own code starts in `recognize`.
///
/// A recognizer has no access to the network, devices or additional folders. A recognizer that needs them declares this
/// in the description, as in `needs: [EngineNeed(.network, reason: "A server listens.")]`, and the user has to allow
/// each need by name.
enum @TYPE@: RecognizerPlugin {
    static let description = RecognizerDescription(
        id: "@ID@", name: "@NAME@", version: "0.1", license: "Apache-2.0",
        // Remove `.isExample` once your recognizer transcribes speech.
        capabilities: [.transcribes, .detectsSpeech, .givesPartials, .timesWords, .isDeterministic, .isExample],
        sampleRate: 16_000)

    static func models() -> [RecognizerModel] {
        [RecognizerModel(id: "count", name: "@NAME@ Count", languages: ["en"])]
    }

    /// `files.files.path("weights")` is the path of the file with that role, which `description` must declare.
    static func load(_ files: ModelFiles) throws -> @TYPE@Model { @TYPE@Model() }
}

/// The weights, which lanes share.
struct @TYPE@Model: ListeningModel {
    func open() throws -> @TYPE@Lane { @TYPE@Lane() }
}

/// The state of one running request.
struct @TYPE@Lane: ListeningLane {
    private let blockLength = 160
    private let pause: UInt64 = 4800

    mutating func recognize(
        _ request: RecognitionRequest, from sound: borrowing SoundInput, to hearing: borrowing RecognitionOutput
    ) throws {
        var number = 0
        var stretch: Range<UInt64>?
        var hasEnded = false
        while !hasEnded {
            // This call and the calls of `hearing` throw if the request has been cancelled. Do not catch that error.
            let block = try sound.block(blockLength)
            hasEnded = block.count < blockLength
            if isLoud(block) {
                let begin = stretch?.lowerBound ?? sound.frame - UInt64(block.count)
                let sounding = begin..<sound.frame
                if stretch == nil {
                    number += 1
                    try hearing.speechBegins(at: begin)
                    let heard = text(number, sounding)
                    try hearing.partial(heard, stable: heard.text.utf8.count)
                }
                stretch = sounding
            }
            if let heard = stretch, hasEnded || sound.frame - heard.upperBound >= pause {
                stretch = nil
                try hearing.speechEnds(at: heard.upperBound)
                try hearing.final(text(number, heard))
            }
        }
        // Nothing was recognized.
        if number == 0 { try hearing.final(RecognizedText("", frames: 0..<0)) }
    }

    private func isLoud(_ block: [Float]) -> Bool {
        block.reduce(0) { $0 + $1 * $1 } > 1e-4 * Float(block.count)
    }

    private func text(_ number: Int, _ frames: Range<UInt64>) -> RecognizedText {
        let text = String(number)
        return RecognizedText(text, frames: frames, words: [SpokenWord(0..<text.utf8.count, frames: frames)])
    }
}
