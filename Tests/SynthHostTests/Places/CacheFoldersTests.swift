import Foundation
import SynthEngineWire
import SynthSystem
import Testing
import TestSupport

@testable import SynthUserVoices

@Suite("Cache folders", .ownThreads)
struct CacheFoldersTests {
    private let folder: TemporaryFolder
    private var caches: CacheFolders { CacheFolders(root: folder.path) }

    init() throws { folder = try TemporaryFolder() }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.file(name)) }

    @Test("The folders of engines, recognizers and the host are always distinct and never nested")
    func apart() {
        let own = [caches.scans, caches.probe, caches.pace]
        for id in ["engine", "recognizer", "engines", "probe", "pace", "scans", "host"] {
            let given = [caches.prepared(.engine, id), caches.prepared(.recognizer, id)]
            #expect(Set(given).count == 2)
            for path in own {
                #expect(!given.contains { ($0 + "/").hasPrefix(path + "/") || (path + "/").hasPrefix($0 + "/") })
            }
        }
    }

    @Test(
        "A folder from an earlier version is renamed with all of its files, regardless of which process does so first")
    func moved() async throws {
        try folder.write([7], to: "piper/entry/weights")
        var before = stat()
        #expect(stat(folder.file("piper/entry/weights"), &before) == 0)
        let made = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { [caches] in caches.make(.engine, "piper") { false } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(made == Array(repeating: folder.file("engine/piper"), count: 8))
        var after = stat()
        #expect(stat(folder.file("engine/piper/entry/weights"), &after) == 0 && after.st_ino == before.st_ino)
        #expect(!exists("piper"))
    }

    @Test("A link at a folder's path is not followed")
    func links() throws {
        let other = try TemporaryFolder()
        try other.write([1], to: "kept/file")
        for name in ["engine", "engines", "kokoro"] {
            try FileManager.default.createSymbolicLink(atPath: folder.file(name), withDestinationPath: other.path)
        }
        #expect(caches.make(.engine, "kokoro", isShared: { true }) == folder.file("engine/kokoro"))
        #expect(try other.data("kept/file") == Data([1]))
        #expect(!FileManager.default.fileExists(atPath: other.file("kokoro")))
    }

    @Test("If a process is killed while removing a folder, the next process completes the removal")
    func interrupted() throws {
        try folder.write([1], to: "_old-4000000-0/tone/forged")
        try folder.write([1], to: "recognizer/whisper/forged")
        #expect(caches.make(.recognizer, "whisper", isShared: { false }) == folder.file("recognizer/whisper"))
        #expect(!exists("_old-4000000-0") && !exists("recognizer/whisper/forged"))
    }

    @Test("If the root is not a folder, there is no cache")
    func unwritable() throws {
        try folder.write([1], to: "file")
        #expect(CacheFolders(root: folder.file("file")).make(.engine, "tone", isShared: { false }) == nil)
    }

    @Test("A tree of any depth, with unreadable folders and links, is removed, but nothing outside it is")
    func removal() throws {
        let other = try TemporaryFolder()
        try other.write([1], to: "kept")
        let tree = folder.file("tree")
        let script = """
            mkdir "$1" && cd "$1" && ln -s "$2" link && ln "$2/kept" hard && mkdir -p shut/within && echo 12345 > shut/within/file
            chmod 0 shut/within && chmod 0 shut
            """
        let made = try ChildProcess.run("/bin/sh", ["-c", script, "sh", tree, other.path])
        try #require(made.code == 0, "\(made.errors)")
        // Creates a tree that is deeper than the longest possible path.
        var inner = try Descriptor.open(tree, O_RDONLY | O_DIRECTORY)
        let name = String(repeating: "d", count: 200)
        for _ in 0..<60 {
            try #require(mkdirat(inner.raw, name, 0o700) == 0)
            inner = Descriptor(owning: openat(inner.raw, name, O_RDONLY | O_DIRECTORY))
        }
        try #require(symlinkat(other.path, inner.raw, "link") == 0)
        #expect(try FolderRemoval.remove(tree) == 7)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(try other.data("kept") == Data([1]))
    }
}
