/// What the choice of a voice must know of an engine.
package struct VoiceEngine: Hashable, Sendable, Identifiable {
    /// What it says of a voice that it knows without the registry.
    package struct Known: Hashable, Sendable {
        /// nil = the voice stands alone.
        let model: String?
        let needsFiles: Bool

        package init(model: String?, needsFiles: Bool) {
            self.model = model
            self.needsFiles = needsFiles
        }
    }

    package let id: String
    /// It speaks as long as nobody chose another.
    package let isFirst: Bool
    /// It shows how an engine is made, and speaks only for those who name it.
    package let isExample: Bool
    /// It speaks with several voices of one model as one.
    package let blends: Bool
    /// By the id of the voice.
    private let known: [String: Known]

    package init(
        id: String, isFirst: Bool = false, isExample: Bool = false, blends: Bool = false, known: [String: Known] = [:]
    ) {
        self.id = id
        self.isFirst = isFirst
        self.isExample = isExample
        self.blends = blends
        self.known = known
    }

    /// Whether it speaks the voice without any file.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool { known[voice.id]?.needsFiles == false }

    /// The name of what is loaded for the voice: its model, which others may share, or its own where it stands alone.
    package func model(of voice: Voice) -> String { voice.model?.id ?? known[voice.id]?.model ?? voice.id }
}
