/// Voices that somebody listed by what they call them.
///
/// Any name counts that means a voice by itself: its key, id, title, name or an alias. A name that several voices share
/// means all of them.
package struct VoiceNames: Hashable, Sendable {
    private let folded: Set<String>

    package init(_ names: some Sequence<String> = [String]()) { folded = Set(names.map(VoiceMatch.folded)) }

    /// The names that mean none of the voices.
    package static func strays(_ names: [String], among voices: [Voice]) -> [String] {
        let known = Set(voices.flatMap(\.foldedNames))
        return names.filter { !known.contains(VoiceMatch.folded($0)) }
    }

    package func contains(_ voice: Voice) -> Bool {
        !folded.isEmpty && voice.foldedNames.contains(where: folded.contains)
    }
}
