import SynthCatalogue
import SynthJSON
import SynthSystem

/// `installed.json`: the files that were verified during installation. It is written last, so its existence means that
/// the files exist too. It also describes the voice, so that speaking reads this file instead of the entire registry.
struct StoreRecord: Codable {
    enum Origin: String, Codable {
        /// Files from a registry, or declared by the engine.
        case registry
        /// Files that the user added. They are not in any registry.
        case user
    }

    struct File: Codable {
        var role: String?
        /// The path relative to the revision's folder.
        var path: String
        var size: Int64
        var sha256: String?
        var md5: String?
        /// Whether the entry is complete without this file; nil means false.
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

        /// Whether the file exists with its recorded size.
        func isThere(in folder: String, _ files: any StoreFiles) -> Bool {
            guard let status = try? files.status(of: folder.child(path)) else { return false }
            return status.kind == .regular && status.size == size
        }

        var digest: Digest? { sha256.flatMap { Digest(.sha256, $0) } ?? md5.flatMap { Digest(.md5, $0) } }
    }

    static let currentFormat = 1

    var format = StoreRecord.currentFormat
    var origin: Origin
    /// The time at which the record was written, in seconds since 1970.
    var installed: Int64
    /// The time at which the entry's first record was written; nil if this is the first record.
    var first: Int64?
    /// Exactly one of `voice`, `model` and `hearing` is set. `voice.model` is the folder of the voice's model.
    var voice: VoiceDocument?
    var model: ModelDocument?
    var hearing: RecognizerModelDocument?
    var files: [File]
    /// Folders relative to the revision's folder, keyed by role, for roles that refer to a folder.
    var folders: [String: String]?
    /// The voice's loudness before gain is applied; nil if it was not measured.
    var loudness: VoiceLoudness?
    /// Describes damage that `verify` found in files that the user added.
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

    /// Whether the record matches the entry in the current registry.
    func describes(_ entry: StoreEntry) -> Bool {
        voice == entry.document.voice && model == entry.document.model && hearing == entry.document.hearing
    }

    /// Whether the record's voice has the same model as the entry, and therefore sounds the same.
    func describesSound(of entry: StoreEntry) -> Bool {
        entry.document.voice.map { voice?.model == $0.model } ?? false
    }

    /// The maximum size of a file in bytes. Because the length of a record is also limited, the sum of the sizes in it
    /// cannot overflow.
    private static let largestFile: Int64 = 1 << 44

    /// Returns nil if the record is missing or this version cannot read it.
    static func read(in folder: String, _ files: any StoreFiles) -> StoreRecord? {
        let path = folder.child(StoreLayout.recordName)
        guard let text = try? files.contents(of: path, limit: 16 << 20) else { return nil }
        return StoreRecord(text)
    }

    /// Returns nil if the text is damaged or has a different format version.
    init?(_ text: [UInt8]) {
        guard let record = try? JSONReader.read(text, allowsRepeatedKeys: true).decode(StoreRecord.self),
            record.format == Self.currentFormat, record.files.allSatisfy({ (0...Self.largestFile).contains($0.size) })
        else { return nil }
        let paths = record.files.map(\.path) + (record.folders ?? [:]).values
        guard paths.allSatisfy({ FileName.isSafePath($0) }) else { return nil }
        self = record
    }

    func write(in folder: String, _ files: any StoreFiles) throws(FileFailure) {
        guard let node = try? JSONNode(encoding: self) else {
            throw FileFailure(.invalid, call: "encode", path: folder)
        }
        try files.replace(
            folder.child(StoreLayout.recordName), with: Array((JSONWriter.line(of: node, sortsKeys: true) + "\n").utf8))
    }

    /// Describes the first file that is missing, has an incorrect size or is known to be damaged; nil if there is none.
    /// Optional files are not checked.
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
