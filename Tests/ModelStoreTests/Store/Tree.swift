import Foundation

@testable import SynthCatalogue

/// The files below a folder, as comparable values.
struct Tree: Equatable {
    /// The contents by relative path; `nil` for a folder. The time in records and the content of lock files are omitted.
    var entries: [String: Data?] = [:]

    init(_ root: String) {
        guard let walk = FileManager.default.enumerator(atPath: root) else { return }
        for case let name as String in walk {
            let path = root + "/" + name
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == .typeRegular else {
                entries[name] = .some(nil)
                continue
            }
            var data = FileManager.default.contents(atPath: path) ?? Data()
            if name.hasSuffix("/.lock") { data = Data() }
            for time in ["\"installed\":", "\"first\":"] where name.hasSuffix("/installed.json") {
                guard let range = data.range(of: Data(time.utf8)) else { continue }
                let end = data[range.upperBound...].firstIndex(of: UInt8(ascii: ",")) ?? range.upperBound
                data.removeSubrange(range.lowerBound...end)
            }
            entries[name] = data
        }
    }

    /// The files with final names, which must be complete.
    var finalFiles: [String: Data] {
        var files: [String: Data] = [:]
        for (name, data) in entries {
            let isPartial = name.split(separator: "/").contains { $0.hasSuffix(".part") || $0.hasSuffix(".tag") }
            if let data, !isPartial, !name.hasSuffix("/.lock"), !name.hasSuffix("/installed.json") {
                files[name] = data
            }
        }
        return files
    }
}
