import Engines

/// How much of an utterance was heard, so that another reading of it can go on there.
struct HeardSound {
    private var channels = 0
    private var frames = 0
    private var events = 0

    mutating func add(_ part: SpeechPart) {
        switch part {
        case .begin(_, let channels): self.channels = channels
        case .audio(let samples): frames += samples.count / max(channels, 1)
        case .event: events += 1
        }
    }

    /// What of a part was not heard yet; nil = all of it was. Called with the parts of the other reading, in their order.
    mutating func remove(from part: SpeechPart) -> SpeechPart? {
        switch part {
        case .begin: return channels > 0 ? nil : part
        case .event:
            if events == 0 { return part }
            events -= 1
            return nil
        case .audio(let samples):
            let heard = min(frames, samples.count / max(channels, 1))
            frames -= heard
            let rest = Array(samples.dropFirst(heard * max(channels, 1)))
            return rest.isEmpty ? nil : .audio(rest)
        }
    }
}
