package import SynthSystem

/// Why a plugin file is rejected: the problem and the affected part.
package struct Refusal: Error, Equatable, Sendable {
    package var part: EnginePart
    package var flaw: Flaw

    package init(_ flaw: Flaw, of part: EnginePart = .file) {
        self.part = part
        self.flaw = flaw
    }

    /// The problem.
    package enum Flaw: Equatable, Sendable {
        case cannotBeOpened(Errno)
        case cannotBeRead(Errno)
        case notRegularFile
        case empty
        case notSharedLibrary
        /// The file was built for a different processor, word size or byte order.
        case otherMachine
        /// The file is shorter than its headers specify, or the headers are inconsistent.
        case damaged
        /// A required library is not installed. The value is the library's name.
        case lacksLibrary(String)
        /// The value is the dynamic linker's message.
        case cannotBeLoaded(String)
        /// There is not enough memory, or the file system is mounted noexec. The value is the dynamic linker's message.
        case cannotBeMapped(String)

        // The following cases contain the path of the file or folder.
        case ofOtherUser(String)
        case writableByAll(String)
        case writableByGroup(String)
        /// An access control list grants other users write permission.
        case writableByOthers(String)
        case unreadableAccessList(Errno)
        /// A folder that all users can write to and whose permissions this user cannot simply change: a sticky folder
        /// such as /tmp, or a folder that belongs to root.
        case sharedFolder(String)
        /// A folder that does not exist but could be created by other users.
        case absentFolder
        /// The path is relative, so it depends on the working directory.
        case notAbsolute

        /// The file has no function `synth_engine_entry`.
        case noEntry
        /// The file has no function `synth_recognizer_entry`.
        case noRecognizer
        /// The plugin has no table for this interface version.
        case noTable(version: UInt32)
        case otherVersion(UInt32, host: UInt32)

        /// Confinement is required, but parts of it are not available on this system.
        case unconfined(Confinement.Gap)

        case missingFunction
        case description(DescriptionFlaw)
    }

    /// The categories of problems that callers must tell apart.
    package enum Kind: Sendable {
        /// The file is not a shared object for this machine, is damaged, or needs a library that is not installed.
        case notLoadable
        /// Other users can change the file.
        case untrusted
        /// The file is not a plugin of the expected kind, or requires an unsupported version of the interface.
        case incompatible
        /// The table or the description violates the interface contract.
        case broken
    }

    package var kind: Kind {
        switch flaw {
        case .cannotBeOpened, .cannotBeRead, .notRegularFile, .empty, .notSharedLibrary, .otherMachine, .damaged,
            .lacksLibrary, .cannotBeLoaded, .cannotBeMapped:
            .notLoadable
        case .ofOtherUser, .writableByAll, .writableByGroup, .writableByOthers, .unreadableAccessList, .sharedFolder,
            .absentFolder, .notAbsolute, .unconfined:
            .untrusted
        case .noEntry, .noRecognizer, .noTable, .otherVersion: .incompatible
        case .missingFunction, .description: .broken
        }
    }
}

/// A part of an engine: its file, or a library or folder that the loader uses with it.
package enum EnginePart: Equatable, Sendable {
    case file
    /// A parent folder of the engine's file.
    case folder(String)
    /// A library that the engine needs, identified by path.
    case library(String)
    /// A folder in which the loader searches for the libraries that the engine needs or, if the path of a library is given, for the
    /// libraries that this library needs.
    case searchFolder(String, for: String?)
    /// A search folder as written in the file, before it is expanded to a path; "" means the working directory.
    case searchElement(String, for: String?)
    /// A library that the engine, or the library with this path, requires by a name that contains a slash.
    case namedLibrary(String, for: String?)
}

/// A violation of the interface contract in an engine's description.
package enum DescriptionFlaw: Equatable, Sendable {
    /// The field is missing, empty, too long, not UTF-8, or contains control characters.
    case unusable(DescriptionField)
    /// The list is missing or implausibly long.
    case unusableList(DescriptionField)
    case forbiddenCharacters(String, in: DescriptionField)
    /// The range must be positive and include 1.
    case unusableRange(low: Float, high: Float, of: DescriptionField)
    case tooMany(DescriptionField, most: UInt32)
    case sameID(String)
    case sameModelID(String)
    /// The IDs of two voices, or of two models, differ only in case.
    case differsByCase(String, from: String)
    /// An entry in the voice's file list is NULL.
    case missingFile(voice: String)
}

/// A field in an engine's description.
package struct DescriptionField: Equatable, Sendable {
    package var name: Name
    /// The ID of the voice or recognizer model to which the field belongs.
    package var voice: String?

    package init(_ name: Name, ofVoice voice: String? = nil) {
        self.name = name
        self.voice = voice
    }

    /// The name of a field, as a phrase.
    package enum Name: String, CaseIterable, Sendable {
        case id = "ID"
        case name
        case version
        case license
        case url = "URL"
        case rate
        case pitch
        case roles
        case voices
        case roleName = "role name"
        case voiceID = "voice ID"

        // Fields of a voice:
        case voiceName = "name for the voice"
        case language = "language for the voice"
        case accent = "accent for the voice"
        case voiceLicense = "license for the voice"
        case model = "model for the voice"
        case speakers = "speakers for the voice"
        case speakerName = "speaker name for the voice"
        case files = "files for the voice"
        case fileRole = "file role for the voice"
        case fileURL = "file URL for the voice"
        case fileDigest = "file digest for the voice"

        // Fields about the process:
        case variables = "environment variables"
        case variableName = "environment variable name"
        case needs
        case needReason = "reason for a need"
        case needPath = "path for a need"

        // Fields of a recognizer and its models:
        case sampleRate = "sample rate"
        case models
        case modelID = "model ID"
        case modelName = "name for the model"
        case modelLicense = "license for the model"
        case modelLanguages = "languages for the model"
        case modelFiles = "files for the model"
    }
}
