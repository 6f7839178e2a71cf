import Foundation
import Testing
import TestSupport
import TinyModels

@testable import SynthInference

/// Verifies that every variant of a model produces the samples of the published model, for texts of any length and any number
/// of threads.
///
/// `Scripts/measure/exactness` runs the long version, which includes full-size models and emulated processors.
@Suite struct ExactnessTests {
    /// The tolerance as a fraction of the peak.
    private static let tolerance: Float = 1e-5

    private static let environment = ProcessInfo.processInfo.environment
    private static let textCount = environment["SYNTHHOST_EXACTNESS_TEXTS"].flatMap { Int($0) } ?? 3
    private static let isLong = environment["SYNTHHOST_EXACTNESS_TEXTS"] != nil
    /// The full-size models in the folder given by the environment.
    private static let realModels: [String] = {
        guard let folder = environment["SYNTHHOST_EXACTNESS_MODELS"], !folder.isEmpty else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { $0.hasSuffix(".onnx") }.map { "\(folder)/\($0)" }
    }()

    /// Models that a test creates, all of which are rewritten.
    private static let vocoders: [TinyModel.Vocoder] = [
        .init(strides: [2, 16]), .init(channels: 128, strides: [4, 2, 8], blocks: [(3, [1, 3, 5])], isPaired: true),
    ]

    /// Compares all variants with the published model, using the same number of threads for both. A different number of
    /// threads changes the rounding, which the test voices amplify to as much as 1% of the peak.
    private func compare(
        _ model: ExactModel, _ name: String, texts: [[Int64]], threads: ClosedRange<Int> = isLong ? 1...4 : 1...2,
        isRewritten: Bool = false
    ) throws {
        for threads in threads {
            let plain = try InferenceSession(model: model.path, threads: threads)
            let expected = try texts.map { try model.speak(plain, $0) }
            for form in TestedForm.allCases {
                let speaker = try form.speaker(of: model, threads: threads, cache: try TemporaryFolder())
                let outcome = speaker.outcome.map { "\($0.kind.rawValue): \($0)" } ?? "not tried"
                let kind = speaker.outcome?.kind
                #expect(isRewritten ? kind == .rewritten : kind == .unknown, "\(outcome)")
                let about = "\(name), \(form), threads \(threads)"
                var largest: Float = 0
                for (text, expected) in zip(texts, expected) {
                    let difference = relativeDifference(expected, try speaker.speak(text))
                    largest = max(largest, difference)
                    #expect(difference <= Self.tolerance, "\(about), \(text.count) ids")
                }
                if Self.isLong { print("exactness: \(about), texts \(texts.count): \(largest) (\(outcome))") }
            }
        }
    }

    @Test("A rewritten model produces the same samples", arguments: vocoders.indices)
    func tiny(index: Int) throws {
        let model = try ExactModel(TinyVoice.model(Self.vocoders[index], hasFlow: index == 0))
        try compare(model, "built \(index)", texts: model.texts(Self.textCount), isRewritten: true)
    }

    @Test(
        "The test voices produce the same samples", arguments: ["en_US-tern-x_low", "en_US-flock-x_low", "kokoro-tern"])
    func voices(name: String) throws {
        let model = try ExactModel(TestVoice.path(name))
        // These models are used as published, but may be run in different ways.
        try compare(model, name, texts: model.texts(Self.isLong ? Self.textCount : 1))
    }

    @Test(
        "Full-size models produce the same samples",
        .enabled(if: !realModels.isEmpty, "This test needs the folder of the models."),
        arguments: realModels)
    func real(path: String) throws {
        let model = try ExactModel(path)
        try compare(
            model, URL(filePath: path).lastPathComponent, texts: model.texts(min(Self.textCount, 10)), isRewritten: true
        )
    }

    /// This test is short enough for an emulated processor. `SYNTHHOST_EXACTNESS_BLOCK` is the block size of that processor.
    @Test("With the block size for this processor, the samples of a short text are the same")
    func short() throws {
        let block = BlockSize.probe(try KernelDomain.runtime)
        if let expected = Self.environment["SYNTHHOST_EXACTNESS_BLOCK"] { #expect(block.map(String.init) == expected) }
        let model = try ExactModel(TinyVoice.model(.init(strides: [2, 16], blocks: [(3, [1, 2])])))
        try compare(
            model, "short, blocks of \(block ?? 0)", texts: [[1, 5, 9, 3, 7]], threads: 1...2, isRewritten: true)
    }
}
