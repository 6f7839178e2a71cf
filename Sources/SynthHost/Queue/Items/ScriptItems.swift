import SynthAudio
package import SynthScript
import SynthSpeech

/// Makes items of a queue out of a script.
package struct ScriptItems {
    /// Each channel takes threads and memory, and nobody hears more apart.
    private static let mostChannels = 16

    private let clips: ClipLibrary
    private let gain: SoundLevel
    private let speech: ([ScriptPart]) -> SpeechQueue.Item

    /// - Parameters:
    ///   - clips: what the names of clips in the script mean.
    ///   - gain: of all clips, on top of what the script says of each.
    ///   - speech: speaks a stretch of the script that has no clip in it.
    package init(
        clips: ClipLibrary, gain: SoundLevel = .unchanged, speech: @escaping ([ScriptPart]) -> SpeechQueue.Item
    ) {
        self.clips = clips
        self.gain = gain
        self.speech = speech
    }

    /// The items in their order. A clip on a channel of its own begins when what is before it has sounded.
    ///
    /// - Throws: `clip` for one that there is not, unless the script says what to say instead.
    package func items(of parts: [ScriptPart]) throws(SpeechError) -> [SpeechQueue.Item] {
        var channels: Set<String> = []
        return try items(of: parts, &channels)
    }

    private func items(
        of parts: [ScriptPart], _ channels: inout Set<String>
    ) throws(SpeechError) -> [SpeechQueue.Item] {
        var items: [SpeechQueue.Item] = []
        for segment in ScriptSegment.split(parts) {
            switch segment {
            case .spoken(let parts): items.append(speech(parts))
            case .pause(let duration): items.append(.pause(duration))
            case .clip(let clip): items += try self.items(of: clip, &channels)
            }
        }
        return items
    }

    private func items(
        of clip: ScriptClip, _ channels: inout Set<String>
    ) throws(SpeechError) -> [SpeechQueue.Item] {
        let file: ClipFile
        do {
            file = try clips.file(named: clip.name)
        } catch {
            if clip.alternative.isEmpty { throw error }
            return try items(of: clip.alternative, &channels)
        }
        if let channel = clip.channel, channels.insert(channel).inserted, channels.count > Self.mostChannels {
            throw .tooManyClipChannels(clip.name, limit: Self.mostChannels)
        }
        let item = SpeechQueue.Item.clip(clip.name, file, gain: .decibels(gain.decibels.value + clip.gain))
        return [clip.channel.map { .cue(item, on: SpeechQueue.Channel($0)) } ?? item]
    }
}

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
