import Foundation
import SynthAudio
import SynthSystem
import Testing
import TestSupport

@Suite("Files that replace other files")
struct ReplacementFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ name: String) throws -> String { String(decoding: try folder.data(name), as: UTF8.self) }

    private func replace(
        _ name: String, with text: String, _ ending: FileEnding = .whole, isNamed: Bool
    ) throws -> String? {
        let new = try ReplacementFile(at: folder.file(name), isNamed: isNamed)
        try new.file.writeAll(Array(text.utf8))
        return try new.publish(ending)
    }

    @Test(
        "An existing file is replaced only if writing succeeds, whether or not the new file had a temporary name",
        arguments: [false, true])
    func endings(isNamed: Bool) throws {
        #expect(try replace("a", with: "0", .failed, isNamed: isNamed) == folder.file("a (stopped)"))
        #expect(try text("a (stopped)") == "0")
        #expect(try replace("a", with: "1", isNamed: isNamed) == folder.file("a"))
        #expect(try replace("a", with: "2", .failed, isNamed: isNamed) == nil)
        #expect(try text("a") == "1")
        #expect(try replace("a", with: "3", .stopped, isNamed: isNamed) == folder.file("a (stopped 2)"))
        #expect(try text("a") == "1" && text("a (stopped 2)") == "3")
        #expect(try replace("a", with: "4", isNamed: isNamed) == folder.file("a"))
        #expect(try text("a") == "4")
        #expect(try folder.entries() == ["a", "a (stopped 2)", "a (stopped)"])
    }

    @Test("A name with a NUL is rejected because C would truncate it at that position")
    func nul() throws {
        try folder.write("kept".utf8, to: "a")
        let path = folder.file("a\0b.wav")
        #expect(throws: Errno.notFound) { _ = try ReplacementFile(at: path) }
        #expect(throws: Errno.notFound) { _ = try Descriptor.open(path, O_RDONLY) }
        #expect(throws: Errno.notFound) { _ = try Descriptor.openRegular(path) }
        #expect(throws: Errno.notFound) {
            _ = try Descriptor.openRegular("a\0b", in: try Descriptor.open(folder.path, O_RDONLY | O_DIRECTORY))
        }
        #expect(throws: Errno.notFound) { _ = try FolderListing.read("\(folder.path)\0/x") }
        #expect(LinkTarget.real(path) == nil)
        for path in [path, "/dev/null\0.wav"] {
            let sink = try SoundFileOptions(.wav).sink(path: path)
            #expect(throws: AudioError.outputNotCreated(path: path, code: ENOENT)) {
                try sink.begin(AudioFormat(sampleRate: 8000, channels: 1))
            }
            let new = try SoundFileOptions(.wav).sink(newFile: path)
            #expect(throws: AudioError.outputNotCreated(path: path, code: ENOENT)) {
                try new.begin(AudioFormat(sampleRate: 8000, channels: 1))
            }
        }
        #expect(try text("a") == "kept")
        #expect(try folder.entries() == ["a"])
    }

    @Test("The file name may be of the maximum length", arguments: [false, true])
    func longNames(isNamed: Bool) throws {
        let name = String(repeating: "é", count: 125) + ".wav"
        for ending in [FileEnding.whole, .whole, .stopped] {
            _ = try replace(name, with: "x", ending, isNamed: isNamed)
        }
        let entries = try folder.entries()
        #expect(entries.count == 2 && entries.allSatisfy { $0.hasSuffix(".wav") && $0.utf8.count <= 255 })
    }

    @Test("Files left behind by killed processes are removed, but files in use and other programs' files are not")
    func leftovers() throws {
        try folder.write([1], to: ".a.synthhost-0.part")
        try folder.write([1], to: ".a.synthhost-1.part")
        try folder.write([1], to: ".a.part")
        try folder.write([1], to: ".b.synthhost-0.part")
        let living = try Descriptor.open(folder.file(".a.synthhost-1.part"), O_RDONLY)
        try #require(flock(living.raw, LOCK_EX | LOCK_NB) == 0)
        _ = try replace("a", with: "x", isNamed: false)
        let others = [".a.part", ".a.synthhost-1.part", ".b.synthhost-0.part"]
        #expect(try folder.entries() == others + ["a"])
        // The new file has a unique name.
        let new = try ReplacementFile(at: folder.file("a"), isNamed: true)
        #expect(try folder.entries().contains(".a.synthhost-0.part"))
        try new.publish()
        #expect(try folder.entries() == others + ["a"])
    }

    @Test("If an existing file is readable only by its owner, so is the file that replaces it")
    func modes() throws {
        try folder.write([1], to: "secret")
        chmod(folder.file("secret"), 0o600)
        let new = try ReplacementFile(at: folder.file("secret"), isNamed: true)
        var status = stat()
        #expect(stat(folder.file(".secret.synthhost-0.part"), &status) == 0 && status.st_mode & 0o777 == 0o600)
        try new.publish()
        #expect(stat(folder.file("secret"), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("Cache files are replaced in the same way")
    func cache() throws {
        try replaceFile(folder.file("x.scan"), with: [1])
        try replaceFile(folder.file("x.scan"), with: [2])
        #expect(try folder.data("x.scan") == Data([2]))
        #expect(try folder.entries() == ["x.scan"])
    }
}

@Suite("Files in use")
struct FilesInUseTests {
    @Test("A file in use is identified by device and inode, whether it was added on its own, in a folder or in a list")
    func uses() throws {
        let folder = try TemporaryFolder()
        for name in ["clip", "tables/en/rules", "libx.so", "text", "other"] { try folder.write([1], to: name) }
        link(folder.file("tables/en/rules"), folder.file("hard"))
        symlink("clip", folder.file("soft"))
        symlink("/", folder.file("tables/root"))
        let inUse = FilesInUse()
        #expect(inUse.use(ofPath: folder.file("clip")) == nil)
        inUse.add(path: folder.file("clip"), as: .clip)
        inUse.add(path: folder.file("tables"), as: .languageTable)
        inUse.add(path: folder.file("none"), as: .lexicon)
        inUse.add(as: .engine) { [folder.file("libx.so")] }
        inUse.add(RegularFile(path: folder.file("text")), as: .text)
        let uses: [String: FileUse] = [
            "clip": .clip, "soft": .clip, "hard": .languageTable, "libx.so": .engine, "text": .text,
        ]
        for (name, use) in uses { #expect(inUse.use(ofPath: folder.file(name)) == use, "\(name)") }
        for name in ["other", "none", ""] { #expect(inUse.use(ofPath: folder.file(name)) == nil, "\(name)") }
        inUse.add(path: folder.file("other"), as: .voice)
        #expect(inUse.use(ofPath: folder.file("other")) == .voice)
    }

    @Test("Two names for the same file are recognized even before the file exists")
    func places() throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "a")
        symlink("none", folder.file("link"))
        symlink(".", folder.file("here"))
        #expect(areOneFile(folder.file("a"), folder.file("./a")))
        #expect(areOneFile(folder.file("none"), folder.file("here/none")))
        #expect(areOneFile(folder.file("none"), folder.file("link")))
        #expect(!areOneFile(folder.file("a"), folder.file("b")))
        #expect(!areOneFile(folder.file("x/a"), folder.file("x/a")))
    }
}
