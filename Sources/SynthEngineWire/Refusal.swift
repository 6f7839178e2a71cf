package import SynthSystem

/// Why a file is not loaded as an engine: what is wrong, and with which part of it.
package struct Refusal: Error, Equatable, Sendable {
    package var part: EnginePart
    package var flaw: Flaw

    package init(_ flaw: Flaw, of part: EnginePart = .file) {
        self.part = part
        self.flaw = flaw
    }

    /// What is wrong.
    package enum Flaw: Equatable, Sendable {
        case cannotBeOpened(Errno)
        case cannotBeRead(Errno)
        case notRegularFile
        case empty
        case notSharedLibrary
        /// It is built for another processor, word size or byte order.
        case otherMachine
        /// It is shorter than its headers say, or they contradict each other.
        case damaged
        /// A library that it needs is not installed; its name.
        case lacksLibrary(String)
        /// In the words of the dynamic linker.
        case cannotBeLoaded(String)
        /// No memory, or a file system mounted noexec; the message of the dynamic linker.
        case cannotBeMapped(String)

        // Each with the path of the file or folder that it is about.
        case ofOtherUser(String)
        case writableByAll(String)
        case writableByGroup(String)
        /// Writable by other users, through its access list.
        case writableByOthers(String)
        case unreadableAccessList(Errno)
        /// A folder that everybody may write and that this user cannot simply close: a sticky one, such as /tmp, or one
        /// of the superuser's.
        case sharedFolder(String)
        /// A folder that does not exist, and that others could make.
        case absentFolder
        /// It is a relative path, so it depends on the working directory.
        case notAbsolute

        /// It has no function `synth_engine_entry`.
        case noEntry
        /// It has no function `synth_recognizer_entry`.
        case noRecognizer
        /// It has no table for this version of the interface.
        case noTable(version: UInt32)
        case otherVersion(UInt32, host: UInt32)

        /// Walls are required that this system does not have.
        case unconfined(Confinement.Gap)

        /// A function that every engine must have is NULL.
        case missingFunction
        case description(DescriptionFlaw)
    }

    /// The kinds that a caller must distinguish.
    package enum Kind: Sendable {
        /// Not a shared object of this machine, damaged, or one that lacks a library.
        case notLoadable
        /// Others may write it.
        case untrusted
        /// Not an engine, or one of an interface version that this host does not support.
        case incompatible
        /// Its table or its description breaks the contract.
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

/// A part of an engine: its file, or something that the loader loads or searches with it.
package enum EnginePart: Equatable, Sendable {
    case file
    /// A folder above its file.
    case folder(String)
    /// A library that it needs, by its path.
    case library(String)
    /// A folder in which the loader looks for libraries, for the engine or for a library by its path.
    case searchFolder(String, for: String?)
    /// The same as it is written in the file, before it is expanded to a path; "" = the working directory.
    case searchElement(String, for: String?)
    /// A library that the engine, or a library by its path, needs by a name that contains a slash.
    case namedLibrary(String, for: String?)
}

/// How the description of an engine breaks the contract of its interface.
package enum DescriptionFlaw: Equatable, Sendable {
    /// It is missing, empty, too long, not UTF-8, or holds control characters.
    case unusable(DescriptionField)
    /// It is missing, or impossibly long.
    case unusableList(DescriptionField)
    case forbiddenCharacters(String, in: DescriptionField)
    /// The range must be positive and include 1.
    case unusableRange(low: Float, high: Float, of: DescriptionField)
    case tooMany(DescriptionField, most: UInt32)
    /// Two voices have the id.
    case sameID(String)
    /// Two models of a recognizer have the id.
    case sameModelID(String)
    /// The ids of two voices, or of two models, differ by case only.
    case differsByCase(String, from: String)
    /// There is a NULL among the files of the voice.
    case missingFile(voice: String)
}

/// A field of the description of an engine.
package struct DescriptionField: Equatable, Sendable {
    package var name: Name
    /// The id of the voice, or of the recognizer's model, that it belongs to.
    package var voice: String?

    package init(_ name: Name, ofVoice voice: String? = nil) {
        self.name = name
        self.voice = voice
    }

    package enum Name: UInt8, Sendable {
        case id = 1
        case name
        case version
        case licence
        case url
        case rate
        case pitch
        case roles
        case voices
        case roleName
        case voiceID

        // Of a voice.
        case voiceName
        case language
        case accent
        case voiceLicence
        case model
        case speakers
        case speakerName
        case files
        case fileRole
        case fileURL
        case fileDigest

        // Of the process.
        case variables
        case variableName
        case needs
        case needReason
        case needPath

        // Of a recognizer, and of one of its models.
        case sampleRate
        case models
        case modelID
        case modelName
        case modelLicence
        case modelLanguages
        case modelFiles
    }
}
