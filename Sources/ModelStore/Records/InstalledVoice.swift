package import VoiceCatalogue

/// A voice whose every file is there, read from the records beside the files and not from a registry.
package struct InstalledVoice: Sendable, Hashable {
    /// One file, or unpacked folder, for the engine.
    package struct File: Sendable, Hashable {
        package let role: String
        /// Absolute.
        package let path: String
    }

    /// Without addresses: `files` are empty here.
    package let voice: Voice
    /// Absolute.
    package let folder: String
    /// Of the model that it leans on; empty where it stands alone.
    package let modelFiles: [File]
    /// Its own.
    package let files: [File]
    /// Whether the user added it from own files.
    package let isUsersOwn: Bool
    let modelFolder: String?
}

/// A voice of the user's own that cannot speak, because of its files.
package struct DamagedOwnVoice: Sendable, Hashable {
    package let voice: Voice
    /// In words for the user: "voice.onnx is missing".
    package let reason: String
}
