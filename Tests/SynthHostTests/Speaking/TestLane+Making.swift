import SynthHostTesting

extension TestLane {
    /// A lane with its own engine.
    static func make(framesPerByte: Int = 1600, isHeld: Bool = false, crashingAt word: String? = nil) -> TestLane {
        let engine = TestEngine(framesPerByte: framesPerByte)
        engine.crash(at: word)
        if isHeld { engine.hold() }
        return engine.makeLane()
    }

    static let sampleRate = 16_000
}
