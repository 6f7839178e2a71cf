package import VoiceCatalogue

/// A voice with all its files, read from the records beside the files and not from a registry.
package struct InstalledVoice: Sendable, Hashable {
    /// A file or an unpacked folder for the engine.
    package struct File: Sendable, Hashable {
        package let role: String
        /// Absolute.
        package let path: String
    }

    /// Without addresses: its `files` are empty.
    package let voice: Voice
    /// Absolute.
    package let folder: String
    /// Of the model that it uses; empty if it uses none.
    package let modelFiles: [File]
    /// Its own.
    package let files: [File]
    /// Whether the user added it from their own files.
    package let isUsersOwn: Bool
    /// How loud it is by itself; nil = it was not measured.
    package let loudness: VoiceLoudness?
    let modelFolder: String?
    /// The time of its record, in seconds since 1970.
    let installed: Int64
}

/// A voice of the user's own that cannot speak because its files are damaged.
package struct DamagedOwnVoice: Sendable, Hashable {
    package let voice: Voice
    /// In words for the user: "voice.onnx is missing".
    package let reason: String
}
