import Foundation
import Testing
import TestSupport

@testable import SynthAudio

@Suite("Title and author", .ownThreads)
struct TagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func written(_ tags: SoundFileTags, _ format: SoundFileFormat) throws -> DecodedSound {
        let sound = AudioFormat(sampleRate: 24_000, channels: 1)
        let sink = try SoundFileOptions(format, tags: tags).sink(path: folder.file("a.\(format)"))
        try sink.begin(sound)
        try sink.write(Speechlike.samples(seconds: 0.5, sound)[...])
        try sink.finish()
        return try DecodedSound(path: folder.file("a.\(format)"))
    }

    @Test("are read back in all formats", arguments: SoundFileFormat.allCases)
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

    @Test("are one line without control characters")
    func cleaned() throws {
        let tags = try SoundFileTags(title: " a\u{0}b\r\nc\u{85}\u{2028}d\t\u{1B}[1me ", author: "\u{0}\n \u{2029}")
        #expect(tags.title == "a b c d [1me")
        #expect(tags.author == nil)
        #expect(try SoundFileTags(title: "", author: "x").title == nil)
        for format in SoundFileFormat.allCases {
            #expect(try written(tags, format).tags["title"] == tags.title)
        }
    }

    @Test("are refused if they are very long")
    func tooLong() throws {
        let longest = SoundFileTags.longest
        #expect(throws: AudioError.tagTooLong(.author, bytes: longest + 2, limit: longest)) {
            _ = try SoundFileTags(author: String(repeating: "é", count: longest / 2 + 1))
        }
        let tags = try SoundFileTags(title: String(repeating: "é", count: longest / 2))
        for format in SoundFileFormat.allCases { #expect(try written(tags, format).tags["title"] == tags.title) }
    }
}
