import Testing

@testable import SynthSmallVoices

@Suite("The pitch of a run") struct PitchCurveTests {
    @Test("changes evenly for the ear between points and stays beyond them")
    func form() {
        let curve = PitchCurve(points: [.init(frame: 1, factor: 1), .init(frame: 3, factor: 2)])
        #expect(curve.form(frames: 6) == .factors([1, 1, Float(2).squareRoot(), 2, 2, 2]))
        #expect(curve.form(frames: 2) == .factors([1, 1]))
        #expect(curve.form(frames: 0) == .factors([]))
    }

    @Test("makes a step of two points with one frame")
    func step() {
        let curve = PitchCurve(points: [
            .init(frame: 0, factor: 1), .init(frame: 2, factor: 1), .init(frame: 2, factor: 0.5),
        ])
        #expect(curve.form(frames: 4) == .factors([1, 1, 0.5, 0.5]))
    }

    @Test("is left alone without points, or if all are 1")
    func level() {
        #expect(PitchCurve.level.form(frames: 9) == .level)
        #expect(PitchCurve(points: [.init(frame: 0, factor: 1)]).form(frames: 9) == .level)
    }
}
