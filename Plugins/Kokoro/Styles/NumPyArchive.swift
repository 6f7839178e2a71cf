import CArchive

/// A zip archive of NumPy arrays (`.npz`), one for each voice, stored or compressed.
enum NumPyArchive {
    /// The array of that name. If the archive holds one array only, its name does not matter.
    static func table(at path: String, voice: String) throws(StyleTable.Failure) -> StyleTable {
        guard let archive = archive_read_new() else { throw damaged }
        defer { archive_read_free(archive) }
        guard archive_read_support_format_zip(archive) == ARCHIVE_OK,
            archive_read_open_filename(archive, path, 1 << 16) == ARCHIVE_OK
        else { throw damaged }

        var names: [String] = []
        var only: [UInt8] = []
        while let entry = try nextEntry(archive) {
            guard let path = archive_entry_pathname(entry) else { continue }
            let name = String(cString: path)
            guard name.hasSuffix(".npy") else { continue }
            names.append(String(name.dropLast(4)))
            let isWanted = names.last == voice
            guard isWanted || names.count == 1 else { continue }
            only = try content(archive)
            if isWanted { return try parse(only) }
        }
        guard !names.isEmpty else { throw StyleTable.Failure(description: "is an archive without NumPy arrays") }
        guard names.count == 1 else { throw StyleTable.Failure.unknown(voice, among: names) }
        return try parse(only)
    }

    private static var damaged: StyleTable.Failure { StyleTable.Failure(description: "is a damaged archive") }

    private static func parse(_ bytes: [UInt8]) throws(StyleTable.Failure) -> StyleTable {
        let table = bytes.withUnsafeBytes { bytes in
            Result { () throws(StyleTable.Failure) in try NumPyArray.table(bytes) }
        }
        return try table.get()
    }

    private static func nextEntry(_ archive: OpaquePointer) throws(StyleTable.Failure) -> OpaquePointer? {
        var entry: OpaquePointer?
        switch archive_read_next_header(archive, &entry) {
        case ARCHIVE_EOF: return nil
        case ARCHIVE_OK, ARCHIVE_WARN: return entry
        default: throw damaged
        }
    }

    private static func content(_ archive: OpaquePointer) throws(StyleTable.Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = archive_read_data(archive, &piece, piece.count)
            // A wrong checksum is also reported here.
            guard count >= 0 else { throw damaged }
            if count == 0 { return bytes }
            bytes += piece.prefix(count)
            guard bytes.count <= NumPyArray.sizeLimit else {
                throw StyleTable.Failure(description: "holds an array that is too large for a voice")
            }
        }
    }
}
