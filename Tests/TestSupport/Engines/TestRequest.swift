/// A test's speech request, in Swift types.
package struct TestRequest {
    package var text: String
    package var voices: [(id: String, weight: Float)]
    package var speaker: String?
    package var language: String?
    package var rate: Float = 1
    package var pitch: Float = 1
    package var pitchPoints: [(offset: Int, factor: Float)] = []
    package var intonation: Float = 0
    package var variation: Float = 0
    package var serial: UInt64 = 1
    package var kind: UInt32 = 0
    package var wants: UInt32 = .max
    package var flags: UInt32 = 0
    package var files: [String: String] = [:]
    /// The files of voices whose files differ from `files`, keyed by voice ID.
    package var filesOfVoice: [String: [String: String]] = [:]

    package init(_ text: String, voice: String) {
        self.text = text
        voices = [(voice, 1)]
    }
}
