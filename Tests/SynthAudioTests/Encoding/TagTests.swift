import Foundation
import Testing
import TestSupport

@testable import SynthAudio

@Suite("Audio file tags", .ownThreads)
struct TagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The tags in the file, and the duration of its audio.
    private func written(
        _ tags: SoundFileTags, _ format: SoundFileFormat
    ) throws -> (tags: [String: String], seconds: Double) {
        let sound = AudioFormat(sampleRate: 24_000, channels: 1)
        let sink = try SoundFileOptions(format, tags: tags).sink(path: folder.file("a.\(format)"))
        try sink.begin(sound)
        try sink.write(Speechlike.samples(seconds: 0.5, sound)[...])
        try sink.finish()
        let decoded = try DecodedSound(path: folder.file("a.\(format)"))
        return (try decoded.label().tags, decoded.seconds)
    }

    @Test(
        "The title and author survive a round trip in all formats", arguments: SoundFileFormat.allCases)
    func readBack(format: SoundFileFormat) throws {
        let long = String(repeating: "Ünïcode 日本語 🎵 ", count: 150) + "end"
        let texts: [(String, String?)] = [("Title", "Author"), ("Café", "Ana María"), ("odd", nil), (long, "日本")]
        for (title, author) in texts {
            let decoded = try written(try SoundFileTags(title: title, author: author), format)
            #expect(decoded.tags["title"] == title)
            #expect(decoded.tags["artist"] == author)
            #expect(abs(decoded.seconds - 0.5) < 0.03)
        }
        #expect(try written(.none, format).tags["title"] == nil)
    }

    @Test("Album, track, chapters and a cover are also written", arguments: SoundFileFormat.allCases)
    func ofABook(format: SoundFileFormat) throws {
        // The tag is longer than a single Ogg page can contain.
        let drawn = try ChildProcess.run(
            "/usr/bin/env",
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "mandelbrot=size=400x400", "-frames:v", "1",
                folder.file("a.png"),
            ])
        #expect(drawn.code == 0, "\(drawn.errors)")
        let cover = Array(try folder.data("a.png"))
        #expect(cover.count > 70_000)
        var tags = try SoundFileTags(title: "Title", author: "Author", album: "Älbum")
        tags.track = SoundFileTags.Track(number: 3, count: 40)
        tags.chapters = (0..<40).map { number in
            SoundFileTags.Chapter(
                title: "Chapter \(number): ünïcode", start: Double(number) / 100, end: Double(number + 1) / 100)
        }
        tags.cover = SoundFileTags.Picture(type: "image/png", bytes: cover)
        let decoded = try written(tags, format)
        #expect(decoded.tags["title"] == "Title" && decoded.tags["artist"] == "Author")
        #expect(decoded.tags["album"] == "Älbum")
        #expect(decoded.tags["track"]?.hasPrefix("3") == true || decoded.tags["tracknumber"] == "3")
        #expect(abs(decoded.seconds - 0.5) < 0.03)
        guard format != .wav else { return }
        let probed = try ChildProcess.run(
            "/usr/bin/env",
            ["ffprobe", "-v", "quiet", "-show_chapters", "-show_streams", "-of", "json", folder.file("a.\(format)")])
        let probe = try JSONDecoder().decode(Probe.self, from: Data(probed.output))
        #expect(probe.chapters.map { $0.tags["title"] } == tags.chapters.map(\.title))
        #expect(probe.chapters.last?.start_time == "0.390000")
        #expect(probe.streams.contains { $0.codec_type == "video" })
    }

    private struct Probe: Decodable {
        struct Chapter: Decodable {
            let start_time: String
            let tags: [String: String]
        }
        struct Stream: Decodable { let codec_type: String }
        let chapters: [Chapter]
        let streams: [Stream]
    }

    @Test("Each tag is a single line without control characters")
    func cleaned() throws {
        let tags = try SoundFileTags(title: " a\u{0}b\r\nc\u{85}\u{2028}d\t\u{1B}[1me ", author: "\u{0}\n \u{2029}")
        #expect(tags.title == "a b c d [1me")
        #expect(tags.author == nil)
        #expect(try SoundFileTags(title: "", author: "x").title == nil)
        for format in SoundFileFormat.allCases {
            #expect(try written(tags, format).tags["title"] == tags.title)
        }
    }

    @Test("Tags that are too long are rejected")
    func tooLong() throws {
        let longest = SoundFileTags.longest
        #expect(throws: AudioError.tagTooLong(.author, bytes: longest + 2, limit: longest)) {
            _ = try SoundFileTags(author: String(repeating: "é", count: longest / 2 + 1))
        }
        let tags = try SoundFileTags(title: String(repeating: "é", count: longest / 2))
        for format in SoundFileFormat.allCases { #expect(try written(tags, format).tags["title"] == tags.title) }
    }
}
