import SynthAudio
import SynthScript
import SynthSystem

/// The clip files of a script, resolved before synthesis starts.
package struct ScriptClips: Sendable {
    /// The files, keyed by clip name.
    private(set) var files: [String: ClipFile] = [:]
    /// The URLs of the first few clips on the web that have no alternative text. All such clips are skipped, as SSML
    /// 1.1 specifies in section 3.3.1.
    private(set) var skipped: [String] = []
    private static let maximumSkipped = 20

    package init() {}

    /// Resolves the clips of a script.
    ///
    /// - Throws: an error such as `clipUnknown` if a clip without alternative text cannot be found and its name is not
    ///   a web address; `channelUnavailable` if a clip would play in parallel with the speech; or the parser's error if
    ///   the script is invalid.
    mutating func find(in parts: any ScriptReader, _ library: ClipLibrary) throws(SpeechError) {
        var parts = parts
        while let part = try rethrowing(parts.next(), as: ScriptError.asSpeechError) {
            var rest = [part]
            while let part = rest.popLast() {
                guard case .clip(let clip) = part else { continue }
                if let channel = clip.channel { throw .channelUnavailable(channel, clip: clip.name) }
                do {
                    if files[clip.name] == nil { files[clip.name] = try library.file(named: clip.name) }
                } catch {
                    if clip.alternative.isEmpty {
                        guard Self.isOnWeb(clip.name) else { throw error }
                        if skipped.count < Self.maximumSkipped, !skipped.contains(clip.name) {
                            skipped.append(clip.name)
                        }
                    }
                    rest += clip.alternative.reversed()
                }
            }
        }
    }

    private static func isOnWeb(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasPrefix("https://") || name.hasPrefix("http://")
    }

    /// Returns a reader that replaces missing clips with their alternative text.
    func reader(of parts: any ScriptReader) -> any ScriptReader { FoundClips(parts: parts, files: files) }
}

private struct FoundClips: ScriptReader {
    var parts: any ScriptReader
    let files: [String: ClipFile]
    /// The pending parts in reverse order.
    var rest: [ScriptPart] = []

    mutating func next() throws(ScriptError) -> ScriptPart? {
        while true {
            let next: ScriptPart? = if let part = rest.popLast() { part } else { try parts.next() }
            guard let part = next else { return nil }
            guard case .clip(let clip) = part, files[clip.name] == nil else { return part }
            rest += clip.alternative.reversed()
        }
    }
}
