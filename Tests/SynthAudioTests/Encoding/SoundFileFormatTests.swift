import Foundation
import Testing
import TestSupport

@testable import SynthAudio

@Suite("Audio file formats")
struct SoundFileFormatTests {
    @Test(
        "The file extension selects the format",
        arguments: [
            ("a.wav", .wav), ("a.WAVE", .wav), ("a.b.Flac", .flac), ("/x.ogg/a.mp3", .mp3), ("a.opus", .opus),
            ("a.ogg", .ogg), ("a.oga", .ogg), ("a", .wav), ("/x.mp3/a", .wav), (".mp3", .wav), ("a.", .wav),
            ("chapter.01", .wav), ("a. b", .wav), ("Dr. Who", .wav), ("a.é", .wav), ("", .wav),
        ] as [(String, SoundFileFormat)])
    func ending(path: String, format: SoundFileFormat) throws {
        #expect(try SoundFileFormat.of(path: path) == format)
    }

    @Test("The requested format is used unless the extension contradicts it")
    func asked() throws {
        #expect(try SoundFileFormat.of(path: "a", asked: .opus) == .opus)
        #expect(try SoundFileFormat.of(path: "a.bin", asked: .opus) == .opus)
        #expect(try SoundFileFormat.of(path: "a.oga", asked: .ogg) == .ogg)
        #expect(throws: AudioError.endingContradicts(path: "a.mp3", ending: .mp3, asked: .wav)) {
            _ = try SoundFileFormat.of(path: "a.mp3", asked: .wav)
        }
    }

    @Test("An unknown file extension causes an error only for regular files")
    func unknown() throws {
        #expect(throws: AudioError.endingUnknown(path: "a.xyz")) { _ = try SoundFileFormat.of(path: "a.xyz") }
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("a.pipe"), 0o600) == 0)
        #expect(try SoundFileFormat.of(path: folder.file("a.pipe")) == .wav)
        try folder.write([], to: "a.file")
        #expect(throws: AudioError.endingUnknown(path: folder.file("a.file"))) {
            _ = try SoundFileFormat.of(path: folder.file("a.file"))
        }
    }
}
