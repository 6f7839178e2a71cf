import Foundation
import FrameChecks
import Testing
import TestNumbers

/// The seed files for `Scripts/fuzz frames`, and inputs that exposed faults. Each file is named after its frame format.
@Suite("The frame corpus")
struct FrameCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus/frames")

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test("No file, whether complete or damaged, makes a reader violate its rules", arguments: FrameForm.allCases)
    func read(form: FrameForm) throws {
        let files = try Self.files()
        var random = SeededRandom(1)
        for (name, bytes) in files {
            #expect(form.violations(in: bytes) == [], "\(name)")
            for round in 0..<50 {
                let damaged = FrameDamage.damaged(bytes, using: &random)
                #expect(form.violations(in: damaged) == [], "\(name), round \(round): \(damaged)")
            }
        }
    }

    @Test("Most damage makes a frame invalid, but some turns it into a different valid frame")
    func damage() throws {
        let files = try Self.files()
        var random = SeededRandom(1)
        var (rounds, values) = (0, 0)
        for form in FrameForm.allCases {
            for (name, bytes) in files where name.hasPrefix(form.rawValue) {
                for _ in 0..<50 {
                    rounds += 1
                    if form.again(FrameDamage.damaged(bytes, using: &random)[...]) != nil { values += 1 }
                }
            }
        }
        #expect(values > rounds / 50 && values < rounds / 2)
    }

    /// A file that can no longer be parsed would test nothing and must be generated again.
    @Test("Files can be parsed in the format indicated by their names, unless they are intentionally invalid")
    func forms() throws {
        let files = try Self.files()
        for (name, bytes) in files {
            let form = FrameForm.allCases.first { name.hasPrefix($0.rawValue) }
            #expect((form?.again(bytes[...]) == nil) == name.contains("broken"), "\(name)")
        }
        for form in FrameForm.allCases { #expect(files.contains { $0.name.hasPrefix(form.rawValue) }, "\(form)") }
    }
}

/// Damages frames in ways that are likely to mislead readers.
private enum FrameDamage {
    /// The bytes with up to four changes.
    static func damaged(_ bytes: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout SeededRandom) {
        guard !bytes.isEmpty else { return bytes.append(.random(in: 0...255, using: &random)) }
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place...)
        case 3: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
        default: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
        }
    }
}
