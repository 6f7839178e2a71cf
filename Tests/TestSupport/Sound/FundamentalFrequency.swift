/// Returns the median fundamental frequency of the voiced parts of speech in hertz, determined by autocorrelation.
package func fundamentalFrequency(_ samples: [Float], sampleRate: Int) -> Double? {
    let window = sampleRate / 32
    let lags = sampleRate / 440...sampleRate / 50
    var found: [Double] = []
    for start in stride(from: 0, to: samples.count - window - lags.upperBound, by: sampleRate / 12) {
        let energy = samples[start..<start + window].reduce(0) { $0 + Double($1 * $1) }
        guard energy / Double(window) > 0.0004 else { continue }
        var best = (lag: 0, likeness: 0.0)
        for lag in lags {
            var product = 0.0
            var shifted = 0.0
            for index in start..<start + window {
                let later = Double(samples[index + lag])
                product += Double(samples[index]) * later
                shifted += later * later
            }
            let likeness = product / (energy * shifted + 1e-9).squareRoot()
            // The signal is just as similar at multiples of the period, so a longer lag must be clearly better.
            if likeness > best.likeness + 0.02 { best = (lag, likeness) }
        }
        if best.likeness > 0.8 { found.append(Double(sampleRate) / Double(best.lag)) }
    }
    return found.isEmpty ? nil : found.sorted()[found.count / 2]
}
