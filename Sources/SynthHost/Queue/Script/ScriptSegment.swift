package import SpeechScript

/// A stretch of a script that becomes one item of a queue.
package enum ScriptSegment: Equatable, Sendable {
    /// What one speech says; at least one part is a text.
    case spoken([ScriptPart])
    case pause(Duration)
    case clip(ScriptClip)

    /// The stretches of a script, in their order. It is cut at clips only, so that sentences keep their pauses.
    package static func split(_ parts: [ScriptPart]) -> [ScriptSegment] {
        var segments: [ScriptSegment] = []
        var spoken: [ScriptPart] = []
        for part in parts {
            if case .clip(let clip) = part {
                segments += segment(of: spoken)
                spoken = []
                segments.append(.clip(clip))
            } else {
                spoken.append(part)
            }
        }
        return segments + segment(of: spoken)
    }

    /// Without a text there is only silence left.
    private static func segment(of parts: [ScriptPart]) -> [ScriptSegment] {
        if parts.contains(where: { if case .text = $0 { true } else { false } }) { return [.spoken(parts)] }
        return parts.compactMap { if case .silence(let duration, _) = $0 { .pause(duration) } else { nil } }
    }
}
