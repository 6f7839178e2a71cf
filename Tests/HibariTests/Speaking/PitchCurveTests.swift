import Testing

@testable import SynthHibari

@Suite("The pitch curve for one run of the model") struct PitchCurveTests {
    @Test("The pitch changes logarithmically between points and is constant beyond them")
    func form() {
        let curve = PitchCurve(points: [.init(frame: 1, factor: 1), .init(frame: 3, factor: 2)])
        #expect(curve.form(frames: 6) == .factors([1, 1, Float(2).squareRoot(), 2, 2, 2]))
        #expect(curve.form(frames: 2) == .factors([1, 1]))
        #expect(curve.form(frames: 0) == .factors([]))
    }

    @Test("Two points at the same frame form a step")
    func step() {
        let curve = PitchCurve(points: [
            .init(frame: 0, factor: 1), .init(frame: 2, factor: 1), .init(frame: 2, factor: 0.5),
        ])
        #expect(curve.form(frames: 4) == .factors([1, 1, 0.5, 0.5]))
    }

    @Test("Without points or if all factors are 1, the curve is flat")
    func level() {
        #expect(PitchCurve.level.form(frames: 9) == .level)
        #expect(PitchCurve(points: [.init(frame: 0, factor: 1)]).form(frames: 9) == .level)
    }
}
