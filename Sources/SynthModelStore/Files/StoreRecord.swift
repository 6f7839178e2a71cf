import SynthCatalogue
import SynthJSON
import SynthSystem

/// `installed.json`: the files that were verified when they were installed. It is written last, so if it exists, the
/// files exist too. It also describes the voice, so that speaking reads this and not the whole registry.
struct StoreRecord: Codable {
    enum Origin: String, Codable {
        /// A registry, or a declaration of the engine.
        case registry
        /// Files that the user added. No registry knows them.
        case user
    }

    struct File: Codable {
        var role: String?
        /// Below the revision's folder.
        var path: String
        var size: Int64
        var sha256: String?
        var md5: String?
        /// Whether the entry is complete without it; nil = it is not.
        var optional: Bool?

        init(role: String?, path: String, size: Int64, digest: Digest, isOptional: Bool = false) {
            self.role = role
            self.path = path
            self.size = size
            sha256 = digest.algorithm == .sha256 ? digest.hexadecimal : nil
            md5 = digest.algorithm == .md5 ? digest.hexadecimal : nil
            optional = isOptional ? true : nil
        }

        var isOptional: Bool { optional ?? false }

        /// Whether it is there in its size.
        func isThere(in folder: String, _ files: any StoreFiles) -> Bool {
            guard let status = try? files.status(of: folder.child(path)) else { return false }
            return status.kind == .regular && status.size == size
        }

        var digest: Digest? { sha256.flatMap { Digest(.sha256, $0) } ?? md5.flatMap { Digest(.md5, $0) } }
    }

    static let currentFormat = 1

    var format = StoreRecord.currentFormat
    var origin: Origin
    /// When it was written, in seconds since 1970.
    var installed: Int64
    /// When the first record of the entry was written; nil = this is the first.
    var first: Int64?
    /// One of these three is set. `voice.model` is the folder of the model that the voice uses.
    var voice: VoiceDocument?
    var model: ModelDocument?
    var hearing: HearingDocument?
    var files: [File]
    /// Roles that name a folder, below the revision's folder.
    var folders: [String: String]?
    /// How loud the voice is by itself; nil = it was not measured.
    var loudness: VoiceLoudness?
    /// What `verify` found wrong with files that the user added, in words.
    var damage: String?

    init(
        origin: Origin, installed: Int64, of document: StoreEntry.Document, files: [File],
        folders: [String: String]? = nil
    ) {
        self.origin = origin
        self.installed = installed
        self.files = files
        self.folders = folders
        voice = document.voice
        model = document.model
        hearing = document.hearing
    }

    /// Whether it describes the entry as the registry does now.
    func describes(_ entry: StoreEntry) -> Bool {
        voice == entry.document.voice && model == entry.document.model && hearing == entry.document.hearing
    }

    /// Whether a voice's sound comes from the same model as that of the entry.
    func describesSound(of entry: StoreEntry) -> Bool {
        entry.document.voice.map { voice?.model == $0.model } ?? false
    }

    /// `nil` if there is none, or none that this version understands.
    static func read(in folder: String, _ files: any StoreFiles) -> StoreRecord? {
        let path = folder.child(StoreLayout.recordName)
        guard let text = try? files.contents(of: path, limit: 16 << 20),
            let record = try? JSONReader.read(text, allowsRepeatedKeys: true).decode(StoreRecord.self),
            record.format == currentFormat
        else { return nil }
        let paths = record.files.map(\.path) + (record.folders ?? [:]).values
        return paths.allSatisfy { FileName.isSafePath($0) } ? record : nil
    }

    func write(in folder: String, _ files: any StoreFiles) throws(FileFailure) {
        guard let node = try? JSONNode(encoding: self) else {
            throw FileFailure(.invalid, call: "encode", path: folder)
        }
        try files.replace(
            folder.child(StoreLayout.recordName), with: Array((JSONWriter.line(of: node, sortsKeys: true) + "\n").utf8))
    }

    /// What is wrong with the first file that is missing, has another size or is known to be damaged; in words. Optional
    /// files do not count.
    func defect(in folder: String, _ files: any StoreFiles) -> String? {
        if let damage { return damage }
        for file in self.files where !file.isOptional {
            guard let status = try? files.status(of: folder.child(file.path)), status.kind == .regular else {
                return "\(file.path) is missing"
            }
            if status.size != file.size { return "\(file.path) has \(status.size) bytes instead of \(file.size)" }
        }
        return nil
    }
}
