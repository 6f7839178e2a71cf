import Foundation
import SynthAudio
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Clip names")
struct ClipLibraryTests {
    private let folder: TemporaryFolder
    /// The root, with symbolic links in its path resolved.
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = URL(filePath: folder.path).resolvingSymlinksInPath().path
        for name in ["clips/chime.wav", "clips/two.wav", "clips/two.FLAC", "clips/notes.txt", "clips/.hidden.wav"] {
            try folder.write([1], to: name)
        }
        for name in ["book/text.ssml", "book/sounds/bell.wav", "book/plain", "secret.wav"] {
            try folder.write([1], to: name)
        }
    }

    private func library(
        _ clips: [String: String] = [:], folder: String? = nil, scope: ClipScope = .names
    ) throws -> ClipLibrary {
        var configuration = Configuration()
        configuration.clips = clips
        let library = ClipLibrary(
            configuration, from: ConfigurationFile(path: root + "/config/config.json"), scope: scope)
        return try folder.map { try library.adding(folder: $0) } ?? library
    }

    private func error(_ library: ClipLibrary, _ name: String) -> SpeechError? {
        problem { _ = try library.file(named: name) }
    }

    private func problem(_ body: () throws -> Void) -> SpeechError? {
        do {
            try body()
        } catch let error as SpeechError {
            return error
        } catch {
            Issue.record(error)
        }
        return nil
    }

    @Test("Relative paths in the configuration are resolved against the configuration's folder")
    func configured() throws {
        let clips = try library(["chime": "sounds/chime.wav", "bell": "/srv/bell.wav", "a.b": "x"])
        #expect(try clips.file(named: "chime") == ClipFile(path: root + "/config/sounds/chime.wav"))
        #expect(try clips.file(named: "bell") == ClipFile(path: "/srv/bell.wav"))
        #expect(try clips.file(named: "a.b") == ClipFile(path: root + "/config/x"))
    }

    @Test("The audio files in a folder are clips, which take precedence over those in the configuration")
    func ofFolder() throws {
        let clips = try library(["chime": "/other.wav", "notes": "/notes.wav"], folder: root + "/clips/")
        #expect(clips.names == ["chime", "notes", "two"])
        #expect(try clips.file(named: "chime") == ClipFile(path: root + "/clips/chime.wav"))
        #expect(try clips.file(named: "chime.wav") == ClipFile(path: root + "/clips/chime.wav"))
        #expect(try clips.file(named: "two.FLAC") == ClipFile(path: root + "/clips/two.FLAC"))
        #expect(try clips.file(named: "notes") == ClipFile(path: "/notes.wav"))
        #expect(
            error(clips, "two") == .clipAmbiguous("two", files: [root + "/clips/two.FLAC", root + "/clips/two.wav"]))
        #expect(
            problem { _ = try library(folder: root + "/none") } == .clipFolderNotReadable(root + "/none", Errno(ENOENT))
        )
    }

    @Test("The error for an unknown name includes suggestions")
    func unknown() throws {
        let clips = try library(["chime": "a", "bell": "b"])
        #expect(error(clips, "chine") == .clipUnknown("chine", near: ["chime"]))
        #expect(error(clips, "Bell") == .clipUnknown("Bell", near: ["bell"]))
        #expect(error(clips, "thunder") == .clipUnknown("thunder", near: []))
    }

    @Test(
        "Paths are rejected unless a folder is allowed",
        arguments: ["sounds/bell.wav", "bell.wav", "../bell.wav", "/bell.wav", "https://a.example/bell.wav"])
    func noPaths(name: String) throws {
        #expect(error(try library(), name) == .clipPathNotAllowed(name))
    }

    @Test("Paths inside a document's folder are allowed")
    func below() throws {
        let clips = try library(scope: .below(root + "/book"))
        let bell = ClipFile(path: root + "/book/sounds/bell.wav", below: root + "/book")
        #expect(try clips.file(named: "sounds/bell.wav") == bell)
        #expect(try clips.file(named: "./sounds/../sounds//bell.wav") == bell)
        #expect(try clips.file(named: "plain").open().raw >= 0)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/book/inside.wav", withDestinationPath: "sounds/bell.wav")
        #expect(try clips.file(named: "inside.wav") == bell)
    }

    @Test(
        "A path never leads out of a document's folder",
        arguments: [
            "../secret.wav", "sounds/../../secret.wav", "out.wav", "up/secret.wav", "up/book/../secret.wav", "..", ".",
            "up",
        ])
    func outside(name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + "/book/out.wav", withDestinationPath: "../secret.wav")
        try FileManager.default.createSymbolicLink(atPath: root + "/book/up", withDestinationPath: root)
        #expect(error(try library(scope: .below(root + "/book")), name) == .clipOutside(name, folder: root + "/book"))
    }

    @Test(
        "Absolute paths and URLs in a document are rejected",
        arguments: [
            "/etc/passwd", "//etc/passwd", "https://a.example/a.wav", "FILE:///a.wav", "data:audio/wav,", "file:a",
        ])
    func notRelative(name: String) throws {
        #expect(error(try library(scope: .below(root + "/book")), name) == .clipNotRelative(name))
    }

    @Test(
        "In a document, a path to a nonexistent file is reported as an unknown clip",
        arguments: ["none.wav", "sounds/none.wav", "", "sounds/bell.wav\0.txt", String(repeating: "a", count: 5000)])
    func nothing(name: String) throws {
        #expect(error(try library(scope: .below(root + "/book")), name) == .clipUnknown(name, near: []))
    }

    @Test("If a link replaces the file after the check, opening the file fails")
    func swapped() throws {
        let file = try library(scope: .below(root + "/book")).file(named: "sounds/bell.wav")
        try FileManager.default.removeItem(atPath: root + "/book/sounds/bell.wav")
        try FileManager.default.createSymbolicLink(
            atPath: root + "/book/sounds/bell.wav", withDestinationPath: root + "/secret.wav")
        #expect(throws: Errno.self) { try file.open() }
    }

    @Test("A clip passed by a program may have any path, and suggestions are still made for misspelled names")
    func anywhere() throws {
        let clips = try library(["chime": "a"], scope: .anywhere)
        #expect(try clips.file(named: "/srv/a.wav") == ClipFile(path: "/srv/a.wav"))
        #expect(try clips.file(named: "none.wav") == ClipFile(path: "none.wav"))
        #expect(error(clips, "chim") == .clipUnknown("chim", near: ["chime"]))
    }
}
