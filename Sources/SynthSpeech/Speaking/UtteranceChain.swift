import Glibc
import SynthAudio
import SynthEngineWire
import SynthScript
import SynthSystem

/// Processes an utterance's audio between the engine and the sink: makes the rate and pitch changes that the engine
/// does not support, applies the volume, converts the format, and limits peaks.
struct UtteranceChain {
    private let stretch: TempoStretch?
    private let gain: Gain
    private let converter: FormatConverter?
    private var limiter: Limiter

    /// - Parameters:
    ///   - tempo, pitch: the tempo and pitch factors, where 1 leaves the audio unchanged.
    init(from input: AudioFormat, to output: AudioFormat, tempo: Double, pitch: Double, gain: Gain) throws(AudioError) {
        self.gain = gain
        stretch = tempo == 1 && pitch == 1 ? nil : try TempoStretch(format: input, tempo: tempo, pitch: pitch)
        converter = input == output ? nil : try FormatConverter(from: input, to: output)
        limiter = Limiter(format: output)
    }

    /// Processes samples and returns the output that is ready.
    mutating func process(_ samples: [Float]) throws(AudioError) -> [Float] {
        guard let stretch else { return try afterStretch(samples, isLast: false) }
        var stretched: [Float] = []
        try stretch.process(samples[...], into: &stretched)
        return try afterStretch(stretched, isLast: false)
    }

    /// Returns all remaining output.
    mutating func finish() throws(AudioError) -> [Float] {
        var stretched: [Float] = []
        try stretch?.finish(into: &stretched)
        return try afterStretch(stretched, isLast: true)
    }

    /// Maps a frame in the engine's audio to the corresponding output frame.
    func outputFrame(forInput frame: Int) -> Int {
        let stretched = stretch?.outputFrame(forInput: frame) ?? frame
        return converter?.outputFrame(forInput: stretched) ?? stretched
    }

    private mutating func afterStretch(_ samples: [Float], isLast: Bool) throws(AudioError) -> [Float] {
        var samples = samples
        gain.apply(to: &samples)
        if let converter {
            var converted: [Float] = []
            try converter.process(samples[...], into: &converted)
            if isLast { try converter.finish(into: &converted) }
            samples = converted
        }
        var limited: [Float] = []
        limiter.process(samples[...], into: &limited)
        if isLast { limiter.finish(into: &limited) }
        return limited
    }
}

/// Divides an utterance's rate and pitch changes between the engine and the audio chain.
struct UtteranceTuning {
    /// The factors that the engine applies.
    let engineRate: Double
    let enginePitch: Double
    /// The factors that the audio chain applies.
    let tempo: Double
    let pitch: Double
    /// The pitch changes within the text, with their byte offsets. Empty if the pitch does not change.
    private(set) var pitchPoints: [UtterancePitch.Point] = []
    /// The factor by which the amplitude is multiplied.
    let volume: Float
    /// The total rate factor.
    let rate: Double

    /// - Parameters:
    ///   - settings: the settings for the entire text.
    ///   - style: additional factors for this part of the text.
    ///   - shape: the pitch contour within the utterance, or nil for the constant pitch of the style.
    init(
        _ settings: SpeechSettings, _ style: ScriptStyle, _ engine: EngineDescription, _ shape: UtterancePitch? = nil
    ) {
        rate = style.rate == 1 ? settings.rate : (settings.rate * style.rate).clamped(to: TempoStretch.tempoRange)
        engineRate = rate.clamped(to: engine.rate)
        tempo = rate / engineRate
        let partPitch = shape?.mean ?? style.pitch
        let wholePitch =
            partPitch == 1 ? settings.pitch : (settings.pitch * partPitch).clamped(to: TempoStretch.pitchRange)
        let (enginePitch, pitch) = Self.shares(of: wholePitch, engine)
        self.enginePitch = enginePitch
        self.pitch = pitch
        if let shape, engine.capabilities.contains(.shapesPitch) {
            pitchPoints = shape.points.map { point in
                let factor = (settings.pitch * point.factor / pitch).clamped(to: engine.pitch)
                return .init(offset: point.offset, factor: factor)
            }
        }
        volume = settings.volume.factor * Float(style.volume)
    }

    /// Splits a pitch factor between the engine and the audio chain.
    private static func shares(of pitch: Double, _ engine: EngineDescription) -> (Double, Double) {
        let own = pitch.clamped(to: engine.pitch)
        return (own, pitch / own)
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Float>) -> Double {
        clamped(to: Double(range.lowerBound)...Double(range.upperBound))
    }

    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

/// The pitch contour of an utterance, relative to the pitch of the entire text.
struct UtterancePitch {
    struct Point: Equatable {
        /// The byte offset in the utterance's text.
        var offset: Int
        var factor: Double
    }

    /// The points of the contour. The logarithm of the factor is interpolated linearly between them. Two points at the
    /// same offset form a step. If there are no points, the pitch is `mean` throughout.
    private(set) var points: [Point] = []
    /// The geometric mean of the factor over the text.
    private(set) var mean = 1.0

    init(_ utterance: Utterance) {
        let count = utterance.text.utf8.count
        guard !utterance.pitches.isEmpty || utterance.style.contour != nil, count > 0 else {
            mean = utterance.style.pitch
            return
        }
        let style = utterance.style
        let stretches =
            utterance.pitches.isEmpty
            ? [Utterance.Pitch(offset: 0, factor: style.pitch, contour: style.contour)] : utterance.pitches
        let bytes = Array(utterance.text.utf8)
        for (index, stretch) in stretches.enumerated() {
            let end = index + 1 < stretches.count ? stretches[index + 1].offset : count
            add(stretch, to: end, utterance.source, bytes)
        }
        mean = mean(over: count)
        if let first = points.first, points.allSatisfy({ $0.factor == first.factor }) { points = [] }
    }

    private mutating func add(_ stretch: Utterance.Pitch, to end: Int, _ source: SourceMap, _ bytes: [UInt8]) {
        let range = stretch.offset..<end
        guard !range.isEmpty else { return }
        func add(_ offset: Int, _ factor: Double) {
            let point = Point(offset: offset, factor: stretch.factor * factor)
            if points.last != point { points.append(point) }
        }
        guard let contour = stretch.contour else {
            add(range.lowerBound, 1)
            return add(end, 1)
        }
        let place = source.sourceRange(of: range)
        add(range.lowerBound, contour.factor(at: place.lowerBound))
        for target in contour.targets where points.count < Self.maximumPoints {
            let wanted = contour.place(of: target)
            guard wanted > place.lowerBound, wanted < place.upperBound else { continue }
            add(Self.offset(of: wanted, in: range, source, bytes), target.factor)
        }
        add(end, contour.factor(at: place.upperBound))
    }

    /// The maximum number of points. A limit is needed because a document may contain any number of contour targets.
    private static let maximumPoints = 900

    /// Returns the offset of the first character in `range` that maps to document byte `place` or a later byte.
    private static func offset(of place: Int, in range: Range<Int>, _ source: SourceMap, _ bytes: [UInt8]) -> Int {
        var found = range.firstSortedIndex { source.sourceRange(of: $0..<$0 + 1).lowerBound >= place }
        while found < range.upperBound, bytes[found] & 0xC0 == 0x80 { found += 1 }
        return found
    }

    private func mean(over count: Int) -> Double {
        let sum = zip(points, points.dropFirst()).reduce(0) { sum, pair in
            sum + Double(pair.1.offset - pair.0.offset) * (log(pair.0.factor) + log(pair.1.factor)) / 2
        }
        return exp(sum / Double(count))
    }
}
