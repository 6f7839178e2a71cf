/// What a `synth_model` pointer names.
final class ModelBox: Sendable {
    let model: any SpeechModel

    init(_ model: any SpeechModel) { self.model = model }
}
