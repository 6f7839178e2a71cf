import VoiceCatalogue

/// One folder of the store: a model, or a voice's own files.
struct StoreEntry: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case model(Model)
        case voice(Voice)
    }

    let content: Content
    let folder: String
    let files: [ModelFile]
    let alternative: [ModelFile]

    /// Depends on the bytes and not on their source: a newer revision of a source downloads only what changed. Optional
    /// files do not count: a model that is here already is the same with them.
    var revision: String {
        StoreEntry.hash(
            files.filter { !$0.isOptional }.map { "\($0.role) \($0.name) \($0.size) \($0.digest)\n" }.joined())
    }

    /// FNV-1a, 64 bits, in hexadecimal.
    static func hash(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The same entry with the files that another voice needs of it.
    func joined(with other: StoreEntry) -> StoreEntry {
        let more = other.files.filter { !files.contains($0) }
        guard !more.isEmpty else { return self }
        return StoreEntry(content: content, folder: folder, files: files + more, alternative: alternative)
    }

    var downloadSize: Int64 { files.reduce(0) { $0 + $1.size } }
}

extension Model {
    var entry: StoreEntry { StoreEntry(content: .model(self), folder: id, files: files, alternative: alternative) }
}

extension Voice {
    /// What the store must have for it. The model comes first, because it takes longest.
    var entries: [StoreEntry] {
        var entries = model.map { [$0.entry] } ?? []
        if !files.isEmpty || model != nil {
            entries.append(
                StoreEntry(content: .voice(self), folder: folder, files: files, alternative: alternative))
        }
        return entries
    }
}

/// Names below the store's root:
///
///     <folder of the voice or model>/.lock              held while anything in it changes
///     <folder>/<revision>/<file>                        complete and verified
///     <folder>/<revision>/<file>.part                   an unfinished download
///     <folder>/<revision>/<file>.part.tag               the server's entity tag for it
///     <folder>/<revision>/<archive>.unpacked/           an archive, unpacked
///     <folder>/<revision>/<archive>.unpacked.part/      an archive, being unpacked
///     <folder>/<revision>/installed.json                written last, when all files are there
///     .adding-<process>-<number>/                       the user's own files while they are added; hidden, so no entry
enum StoreLayout {
    static let partSuffix = FileName.partSuffix
    static let tagSuffix = FileName.tagSuffix
    static let additionPrefix = ".adding-"
    static let lockName = ".lock"
    static let recordName = FileName.recordName
    static let unpackedSuffix = FileName.unpackedSuffix
}
