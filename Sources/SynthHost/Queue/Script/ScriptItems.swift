package import SpeechScript
import SynthAudio

/// Makes items of a queue out of a script.
package struct ScriptItems {
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
    package func items(of parts: [ScriptPart]) throws(SpeechFailure) -> [SpeechQueue.Item] {
        var items: [SpeechQueue.Item] = []
        for segment in ScriptSegment.split(parts) {
            switch segment {
            case .spoken(let parts): items.append(speech(parts))
            case .pause(let duration): items.append(.pause(duration))
            case .clip(let clip): items += try self.items(of: clip)
            }
        }
        return items
    }

    private func items(of clip: ScriptClip) throws(SpeechFailure) -> [SpeechQueue.Item] {
        let file: ClipFile
        do throws(ClipNameError) {
            file = try clips.file(named: clip.name)
        } catch {
            if clip.alternative.isEmpty { throw .clip(clip.name, .name(error)) }
            return try items(of: clip.alternative)
        }
        let item = SpeechQueue.Item.clip(clip.name, file, gain: .decibels(gain.decibels.value + clip.gain))
        return [clip.channel.map { .cue(item, on: SpeechQueue.Channel($0)) } ?? item]
    }
}
