import SpeechScript
import SynthAudio

/// The files of the clips that a script asks for, found before anything is spoken.
package struct ScriptClips: Sendable {
    /// By the names that the script uses.
    private(set) var files: [String: ClipFile] = [:]

    init() {}

    /// Finds the clips of a script. Of one that is not there, what the script says instead takes its place.
    ///
    /// - Returns: the parts of which every clip has a file.
    /// - Throws: `clip` if a clip is not there and nothing is said instead; `channel` for one that sounds beside the speech.
    mutating func find(
        in parts: [ScriptPart], _ library: ClipLibrary
    ) throws(SpeechFailure) -> [ScriptPart] {
        var found: [ScriptPart] = []
        var rest = Array(parts.reversed())
        while let part = rest.popLast() {
            guard case .clip(let clip) = part else {
                found.append(part)
                continue
            }
            if let channel = clip.channel { throw .channel(channel, clip: clip.name) }
            do throws(ClipNameError) {
                if files[clip.name] == nil { files[clip.name] = try library.file(named: clip.name) }
                found.append(part)
            } catch {
                guard !clip.alternative.isEmpty else { throw .clip(clip.name, .name(error)) }
                rest += clip.alternative.reversed()
            }
        }
        return found
    }
}
