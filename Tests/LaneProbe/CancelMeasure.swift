import Synchronization
import SynthEngineProcesses

/// In each round, cancels a sentence without commas at a random time. Prints the times from the cancellation until the
/// last audio arrives, until the lane is free, and until the next sentence has been spoken.
func measureCancel(_ lane: EngineLane, _ rounds: Int) throws {
    var sentences = Sentences(seed: 5)
    let long = Sentences.request(sentences.next(words: 60...60))
    let short = Sentences.request("Yes.")
    let clock = ContinuousClock()
    var usual: [Duration] = []
    for _ in 0..<10 { usual.append(try clock.measure { _ = try lane.speak(short) { _ in true } }) }
    let whole = try clock.measure { _ = try lane.speak(long) { _ in true } }
    print("a sentence of 60 words takes \(milliseconds(whole))")

    var silence: [Duration] = []
    var free: [Duration] = []
    var again: [Duration] = []
    for _ in 0..<rounds {
        let delay = sentences.delay(upTo: whole / 2)
        let lastPart = Mutex(clock.now)
        let cancelled = Mutex(clock.now)
        let alarm = Task.detached {
            try await Task.sleep(for: delay)
            cancelled.withLock { $0 = clock.now }
            lane.cancel()
        }
        let wasSpoken = try lane.speak(long) { _ in
            lastPart.withLock { $0 = clock.now }
            return true
        }
        let end = clock.now
        alarm.cancel()
        if wasSpoken { continue }
        let moment = cancelled.withLock { $0 }
        silence.append(max(.zero, lastPart.withLock { $0 } - moment))
        free.append(end - moment)
        _ = try lane.speak(short) { _ in true }
        again.append(clock.now - moment)
    }
    print("\(free.count) of \(rounds) requests were cancelled")
    print("silent after: \(summary(silence))")
    print("lane free after: \(summary(free))")
    print("a short sentence spoken after: \(summary(again)); otherwise \(summary(usual))")
}

private func summary(_ times: [Duration]) -> String {
    let sorted = times.sorted()
    guard let last = sorted.last else { return "-" }
    func part(_ share: Double) -> Duration { sorted[min(Int(Double(sorted.count) * share), sorted.count - 1)] }
    return "median \(milliseconds(part(0.5))), p99 \(milliseconds(part(0.99))), most \(milliseconds(last))"
}

private func milliseconds(_ time: Duration) -> String {
    let tenths = Int((time / .milliseconds(1) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) ms"
}
