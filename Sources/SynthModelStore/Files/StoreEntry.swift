package import SynthCatalogue
import SynthSystem

/// A unit of installation: a voice with its model, or a recognizer model.
package protocol Installable: Sendable {
    /// The ID to show in messages.
    var id: String { get }
    /// The name of the folder in the store.
    var folder: String { get }
    /// The required store entries. The slowest download is first, and the entry for `folder` is last.
    var entries: [StoreEntry] { get }
}

extension Installable {
    /// The size of a complete download in bytes.
    var downloadSize: Int64 { entries.reduce(0) { $0 + $1.downloadSize } }

    /// The entry that is shared with other voices; nil if there is none.
    var shared: String? { entries.first.flatMap { $0.folder == folder ? nil : $0.folder } }
}

/// A folder in the store: a model, or the files of a single voice.
package struct StoreEntry: Sendable, Equatable {
    /// An entry's description, which is stored in its record so that speaking does not require the registry.
    package struct Document: Sendable, Equatable {
        /// `voice.model` is the folder of the model that the voice uses.
        package var voice: VoiceDocument?
        package var model: ModelDocument?
        package var hearing: RecognizerModelDocument?
    }

    package let document: Document
    package let folder: String
    package let files: [ModelFile]
    /// The same files from an alternative source.
    package let alternative: [ModelFile]

    /// The revision's name. It is derived from the contents rather than the source, so that only changed files are
    /// downloaded for a new revision of a source. Optional files are not included, so that adding them does not change
    /// an installed model's revision.
    var revision: String {
        let needed = files.filter { !$0.isOptional }.map { "\($0.role) \($0.name) \($0.size) \($0.digest)\n" }
        return ContentHash(needed.joined().utf8).hexadecimal
    }

    /// Returns this entry with the additional files that another voice needs.
    func joined(with other: StoreEntry) -> StoreEntry {
        let more = other.files.filter { !files.contains($0) }
        guard !more.isEmpty else { return self }
        return StoreEntry(document: document, folder: folder, files: files + more, alternative: alternative)
    }

    var downloadSize: Int64 { files.reduce(0) { $0 + $1.size } }
}

extension Model {
    var entry: StoreEntry {
        StoreEntry(document: .init(model: document), folder: id, files: files, alternative: alternative)
    }
}

extension Voice: Installable {
    package var entries: [StoreEntry] {
        var entries = model.map { [$0.entry] } ?? []
        if !files.isEmpty || model != nil {
            entries.append(
                StoreEntry(
                    document: .init(voice: document), folder: folder, files: files, alternative: alternative))
        }
        return entries
    }
}

extension RecognizerModelEntry: Installable {
    package var entries: [StoreEntry] {
        [StoreEntry(document: .init(hearing: document), folder: folder, files: files, alternative: alternative)]
    }
}

/// Paths below the store's root:
///
///     <folder of the voice or model>/.lock              locked while anything in the folder changes
///     <folder>/<revision>/<file>                        complete and verified
///     <folder>/<revision>/<file>.part                   an unfinished download
///     <folder>/<revision>/<file>.part.tag               the server's entity tag for that download
///     <folder>/<revision>/<archive>.unpacked/           an unpacked archive
///     <folder>/<revision>/<archive>.unpacked.part/      an archive that is being unpacked
///     <folder>/<revision>/installed.json                written last, when all files exist
///     .adding-<process>-<number>/                       the user's own files during an addition; hidden, so not an entry
enum StoreLayout {
    static let partSuffix = FileName.partSuffix
    static let tagSuffix = FileName.tagSuffix
    static let additionPrefix = ".adding-"
    static let lockName = ".lock"
    static let recordName = FileName.recordName
    static let unpackedSuffix = FileName.unpackedSuffix
}
