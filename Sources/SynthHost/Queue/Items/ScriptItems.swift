import SynthAudio
package import SynthScript
import SynthSpeech

/// Converts a script into queue items.
package struct ScriptItems {
    /// The maximum number of channels. Each channel needs threads and memory, and a listener could not tell any more
    /// channels apart.
    private static let maximumChannels = 16

    private let clips: ClipLibrary
    private let gain: SoundLevel
    private let speech: ([ScriptPart]) -> SpeechQueue.Item

    /// - Parameters:
    ///   - clips: resolves the names of clips in the script.
    ///   - gain: the gain of all clips, in addition to the script's own levels.
    ///   - speech: creates the item for a part of the script that contains no clips.
    package init(
        clips: ClipLibrary, gain: SoundLevel = .unchanged, speech: @escaping ([ScriptPart]) -> SpeechQueue.Item
    ) {
        self.clips = clips
        self.gain = gain
        self.speech = speech
    }

    /// Returns the items in order. A clip on another channel starts when all items before it have been played.
    ///
    /// - Throws: an error such as `clipUnknown` if a clip is missing and has no alternative text, or `clipNotAllowed` if the script
    ///   uses too many channels.
    package func items(of parts: [ScriptPart]) throws(SpeechError) -> [SpeechQueue.Item] {
        var channels: Set<String> = []
        return try items(of: parts, &channels)
    }

    private func items(
        of parts: [ScriptPart], _ channels: inout Set<String>
    ) throws(SpeechError) -> [SpeechQueue.Item] {
        var items: [SpeechQueue.Item] = []
        var spoken: [ScriptPart] = []
        for part in parts {
            if case .clip(let clip) = part {
                items += self.items(between: spoken)
                spoken = []
                items += try self.items(of: clip, &channels)
            } else {
                spoken.append(part)
            }
        }
        return items + self.items(between: spoken)
    }

    /// Returns a single item for the parts between two clips, so that the pauses between sentences are preserved, or
    /// pauses if none of the parts is text.
    private func items(between parts: [ScriptPart]) -> [SpeechQueue.Item] {
        if parts.contains(where: { if case .text = $0 { true } else { false } }) { return [speech(parts)] }
        return parts.compactMap { if case .silence(let duration, _) = $0 { .pause(duration) } else { nil } }
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
        if let channel = clip.channel, channels.insert(channel).inserted, channels.count > Self.maximumChannels {
            throw .tooManyClipChannels(clip.name, limit: Self.maximumChannels)
        }
        let item = SpeechQueue.Item.clip(clip.name, file, gain: .decibels(gain.decibels.value + clip.gain))
        return [clip.channel.map { .cue(item, on: SpeechQueue.Channel($0)) } ?? item]
    }
}
