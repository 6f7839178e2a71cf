import Foundation
import SynthArchives
import SynthSystem
import Testing
import TestSupport

@testable import SynthCatalogue
@testable import SynthModelStore

@Suite("Unpacking archives")
struct UnpackerTests {
    /// Malicious and damaged archives.
    enum Hostile: String, CaseIterable, CustomTestStringConvertible {
        case parent = "a file above the folder"
        case nestedParent = "a file above the folder, with a path that starts in the folder"
        case absolute = "an absolute path"
        case lonelyLink = "a symbolic link"
        case throughLink = "a file through a symbolic link"
        case hardLink = "a hard link to a local file"
        case device = "a device"
        case fifo = "a named pipe"
        case bomb = "64 MiB of zeros"
        case manyEntries = "more entries than a voice can have"
        case deep = "deeply nested folders"
        case longName = "a path of ten thousand bytes"
        case longPart = "a name that is too long for any file system"
        case control = "a name with a line break"
        case notText = "a name that is not valid UTF-8"
        case twice = "the same file twice"
        case fileAsFolder = "a file that is also a folder"
        case truncated = "a truncated archive"
        case junk = "a file that is not an archive"
        case empty = "an empty file"
        case unannounced = "an unexpected file"

        var testDescription: String { rawValue }

        func archive(_ outside: String) -> [UInt8] {
            var tar = TarBytes()
            tar.add("voice/", kind: "5", mode: 0o755)
            tar.add("voice/model", Noise.bytes(20_000, seed: 1))
            switch self {
            case .parent: tar.add("../evil", [1])
            case .nestedParent: tar.add("voice/../../evil", [1])
            case .absolute: tar.add(outside + "/evil", [1])
            case .lonelyLink: tar.add("voice/link", kind: "2", link: "/etc/passwd")
            case .throughLink:
                tar.add("d", kind: "2", link: outside)
                tar.add("d/evil", [1])
            case .hardLink: tar.add("voice/hard", kind: "1", link: "/etc/passwd")
            case .device: tar.add("voice/device", kind: "3")
            case .fifo: tar.add("voice/pipe", kind: "6")
            case .bomb:
                tar.add("voice/zero", [UInt8](repeating: 0, count: 64 << 20))
                return tar.compressed(.gzip)
            case .manyEntries: for number in 0..<2_000 { tar.add("voice/\(number)") }
            case .deep: tar.add(String(repeating: "d/", count: 40) + "f", [1])
            case .longName: tar.addLong(String(repeating: "n/", count: 5_000), [1])
            case .longPart: tar.addLong("voice/" + String(repeating: "n", count: 300), [1])
            case .control: tar.add("voice/a\nb", [1])
            case .notText:
                tar.addRaw(Array("voice/".utf8) + [0xff, 0xfe])
            case .twice: tar.add("voice/model", [2])
            case .fileAsFolder: tar.add("voice/model/inside", [1])
            case .truncated:
                let whole = tar.compressed(.bzip2)
                return Array(whole.prefix(whole.count / 2))
            case .junk: return Noise.bytes(5_000, seed: 2)
            case .empty: return []
            case .unannounced: tar.add("voice/extra", [1])
            }
            return tar.ended
        }
    }

    /// Unpacks an archive and returns the paths of the resulting files.
    private static func unpack(
        _ archive: String, to folder: String, _ contents: ArchiveContents = ArchiveContents(),
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(FetchFailure) -> [String] {
        let wanted = contents.roles.isEmpty ? nil : Array(contents.roles.values)
        let job = UnpackJob(
            archive: archive, folder: folder, wanted: wanted, announced: contents.members, limits: limits)
        var files: [String] = []
        try ArchiveWork().run(job) { if case .unpacked(let file) = $0 { files.append(file.path) } }
        return files
    }

    @Test(
        "A malicious archive leaves no files inside or outside the folder, and the reason is reported",
        arguments: Hostile.allCases)
    func hostile(_ hostile: Hostile) throws {
        let folder = try TemporaryFolder()
        let outside = try TemporaryFolder()
        let archive = try folder.write(hostile.archive(outside.path), to: "archive")
        let announced = ArchiveContents(members: hostile == .unannounced ? ["voice/model"] : nil)
        var limits = ArchiveLimits()
        limits.entries = 1_000
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: true)
        do throws(FetchFailure) {
            _ = try Self.unpack(archive, to: folder.path + "/in/side", announced, limits: limits)
            Issue.record("The archive should have been rejected.")
        } catch {
            guard case .archive(let refusal) = error else { throw error }
            if case .file(let failure) = refusal { #expect(hostile == .fileAsFolder, "\(failure)") }
        }
        #expect(Tree(folder.path).entries.keys.sorted() == ["archive", "in"])
        #expect(Tree(outside.path).entries.isEmpty)
    }

    @Test(
        "A name that is used for both a file and a folder is reported, regardless of the order of the two",
        arguments: [["v", "v/a"], ["v/a", "v"]])
    func bothKinds(names: [String]) throws {
        let folder = try TemporaryFolder()
        var tar = TarBytes()
        for name in names { tar.add(name, [1]) }
        let path = try folder.write(tar.compressed(.gzip), to: "x.tar.gz")
        let store = TestVoice.store(folder.path + "/store")
        let addition = try store.beginAdding()
        let error = #expect(throws: StoreError.self) { _ = try addition.unpack(path) }
        addition.discard()
        #expect(error == .notUnpacked(archive: path, .fileAndFolder("v"), isGiven: true))
        #expect(Tree(folder.path + "/store").entries.isEmpty)
    }

    @Test("File modes are discarded so that no file is setuid or executable")
    func modes() throws {
        let folder = try TemporaryFolder()
        var tar = TarBytes()
        tar.add("tool", [1], mode: 0o6755)
        let archive = try folder.write(tar.ended, to: "archive")
        #expect(
            try Self.unpack(archive, to: folder.path + "/out") == ["tool"])
        let mode =
            try FileManager.default.attributesOfItem(atPath: folder.path + "/out/tool")[.posixPermissions] as? Int
        #expect((mode ?? -1) & 0o7111 == 0)
    }

    @Test("Archives of all supported formats are unpacked")
    func kinds() throws {
        let content = Noise.bytes(300_000, seed: 3)
        var tar = TarBytes()
        tar.add("voice/", kind: "5", mode: 0o755)
        tar.add("voice/a.onnx", content)
        let archives = [
            "a.tar.gz": tar.compressed(.gzip), "a.tar.bz2": tar.compressed(.bzip2),
            "a.zip": TarBytes.zip("voice/a.onnx", content),
        ]
        for (name, bytes) in archives {
            let folder = try TemporaryFolder()
            let archive = try folder.write(bytes, to: name)
            let files = try Self.unpack(archive, to: folder.path + "/out")
            #expect(files == ["voice/a.onnx"], "\(name)")
            #expect(
                FileManager.default.contents(atPath: folder.path + "/out/voice/a.onnx") == Data(content))
        }
    }

    @Test("Only the files required for a role are kept")
    func roles() throws {
        let folder = try TemporaryFolder()
        var tar = TarBytes()
        for name in ["v/model", "v/data/a", "v/data/b", "v/other/c", "readme"] { tar.add(name, Array(name.utf8)) }
        let archive = try folder.write(tar.ended, to: "archive")
        let announced = ArchiveContents(roles: ["model": "v/model", "data": "v/data/"])
        let files = try Self.unpack(archive, to: folder.path + "/out", announced)
        #expect(files.sorted() == ["v/data/a", "v/data/b", "v/model"])
        #expect(Tree(folder.path + "/out").finalFiles.count == 3)
    }

    @Test("Names with non-ASCII characters are kept in all locales")
    func names() throws {
        var tar = TarBytes()
        tar.add("tugão.onnx", [1])
        for bytes in [tar.ended, TarBytes.pax("tugão.onnx", [1])] {
            let folder = try TemporaryFolder()
            let archive = try folder.write(bytes, to: "archive")
            let files = try Self.unpack(archive, to: folder.path + "/out")
            #expect(files == ["tugão.onnx"])
            #expect(Array(Tree(folder.path + "/out").entries.keys) == ["tugão.onnx"])
        }
    }
}
