/// The properties of an engine that the choice of a voice needs.
package struct VoiceEngine: Hashable, Sendable, Identifiable {
    /// A voice that the engine declares itself.
    package struct Known: Hashable, Sendable {
        /// nil = the voice shares no model.
        let model: String?
        let needsFiles: Bool

        package init(model: String?, needsFiles: Bool) {
            self.model = model
            self.needsFiles = needsFiles
        }
    }

    package let id: String
    /// It is the default engine.
    package let isFirst: Bool
    /// It is an example of an engine, and is used only by name.
    package let isExample: Bool
    /// It can blend several voices of one model.
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

    /// Whether the voice needs no files.
    package func speaksWithoutFiles(_ voice: Voice) -> Bool { known[voice.id]?.needsFiles == false }

    /// The id of the model of the voice, which other voices may share; the voice's own id if it shares no model.
    package func model(of voice: Voice) -> String { voice.model?.id ?? known[voice.id]?.model ?? voice.id }
}
