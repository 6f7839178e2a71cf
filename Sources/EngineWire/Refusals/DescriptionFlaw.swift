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
    /// There is a NULL among the files of the voice.
    case missingFile(voice: String)
}

/// A field of the description of an engine.
package struct DescriptionField: Hashable, Sendable {
    package var name: Name
    /// The id of the voice that it belongs to.
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
    }
}
