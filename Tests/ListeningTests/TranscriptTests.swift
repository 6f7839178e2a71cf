import Foundation
import SynthEngineWire
import SynthListening
import SynthSystem
import Testing
import TestSupport

@Suite("Writing transcripts", .ownThreads)
struct TranscriptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ text: String, _ frames: Range<UInt64>, words: Bool = true) -> RecognizedText {
        var place = 0
        let parts = text.split(separator: " ")
        let each = UInt64(frames.count) / UInt64(max(1, parts.count))
        let heard = parts.enumerated().map { index, word in
            defer { place += word.utf8.count + 1 }
            let begin = frames.lowerBound + UInt64(index) * each
            return RecognizedWord(text: place..<place + word.utf8.count, frames: begin..<begin + each, confidence: 0.5)
        }
        return RecognizedText(text, frames: frames, language: "en", words: words ? heard : [], confidence: 0.75)
    }

    private func written(_ form: TranscriptFormat, _ texts: [RecognizedText]) -> String {
        var page = TranscriptText(form, rate: 1000)
        return page.head + texts.map { page.add($0) }.joined() + page.finish()
    }

    @Test("Subtitles have numbers and times, and markup characters are escaped")
    func subtitles() {
        let texts = [text("a <b> & c --> d", 3_660_500..<3_663_001, words: false)]
        #expect(written(.srt, texts) == "1\n01:01:00,500 --> 01:01:03,001\na <b> & c -> d\n\n")
        #expect(
            written(.vtt, texts)
                == "WEBVTT\n\n01:01:00.500 --> 01:01:03.001\na &lt;b&gt; &amp; c --&gt; d\n\n")
        #expect(written(.vtt, []) == "WEBVTT\n\n" && written(.srt, []) == "")
    }

    @Test("Plain text is divided into paragraphs at longer pauses")
    func paragraphs() {
        let texts = [
            text("One two.", 0..<1000), text("Three\nfour.", 1500..<2500), text("Five.", 4600..<5000),
            text("六。", 5100..<5600), text("七。", 5700..<6000),
        ]
        #expect(written(.txt, texts) == "One two. Three four.\n\nFive. 六。七。\n")
        #expect(written(.txt, []) == "")
        // Speech without long pauses.
        let long = (0..<40).map { text("Twenty letters, too.", $0 * 3000..<$0 * 3000 + 2100) }
        let lines = written(.txt, long).split(separator: "\n\n")
        #expect(lines.count == 2 && lines[0].count > 500 && lines[0].count < 560)
    }

    @Test("The JSON output is a single object, regardless of what the texts contain")
    func json() throws {
        let object = try JSONSerialization.jsonObject(
            with: Data(written(.json, [text("say \"yes\"\\", 0..<2000), text("", 2000..<2000)]).utf8))
        let texts = try #require((object as? [String: Any])?["texts"] as? [[String: Any]])
        #expect(texts.map { $0["text"] as? String } == ["say \"yes\"\\", ""])
        let words = try #require(texts[0]["words"] as? [[String: Any]])
        #expect(words.map { $0["word"] as? String } == ["say", "\"yes\"\\"])
        #expect(words.map { $0["start"] as? Double } == [0, 1] && texts[0]["language"] as? String == "en")
        #expect(written(.json, []) == "{\"texts\":[]}\n")
    }

    private var pieces: [TranscribedPiece] {
        [
            TranscribedPiece(index: 0, frames: 0..<1000, texts: [text("Hé llo", 10..<900)]),
            TranscribedPiece(index: 1, frames: 1000..<2500, texts: []),
            TranscribedPiece(index: 2, frames: 2500..<2600, texts: [text("a\nb", 2500..<2600, words: false)]),
        ]
    }

    @Test("The journal stores each piece and restores it unchanged")
    func journal() throws {
        let path = folder.file("journal")
        do {
            let journal = try TranscriptJournal(path, of: "one")
            #expect(journal.pieces.isEmpty)
            for piece in pieces.prefix(2) { try journal.add(piece) }
            // No other process can write to the journal while it is open.
            #expect(throws: Errno(EWOULDBLOCK)) { _ = try TranscriptJournal(path, of: "one") }
        }
        do {
            let journal = try TranscriptJournal(path, of: "one")
            #expect(journal.pieces == Array(pieces.prefix(2)))
            try journal.add(pieces[2])
        }
        #expect(try TranscriptJournal(path, of: "one").pieces == pieces)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        // A symbolic link or a file with a second hard link may belong to another user, so it is left unchanged.
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(throws: Errno.self) { _ = try TranscriptJournal(folder.file("link"), of: "one") }
        #expect(link(path, folder.file("other")) == 0)
        #expect(throws: Errno.exists) { _ = try TranscriptJournal(path, of: "two") }
        #expect(unlink(folder.file("other")) == 0)
        // A different recording or model starts a new journal.
        #expect(try TranscriptJournal(path, of: "two").pieces.isEmpty)
        #expect(try TranscriptJournal(path, of: "one").pieces.isEmpty)
    }

    @Test("A truncated or damaged journal is read up to the last complete piece")
    func cut() throws {
        let path = folder.file("journal")
        do {
            let journal = try TranscriptJournal(path, of: "one")
            for piece in pieces { try journal.add(piece) }
        }
        let bytes = [UInt8](try folder.data("journal"))
        let ends = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
        for count in 0...bytes.count {
            try folder.write(bytes.prefix(count), to: "journal")
            let journal = try TranscriptJournal(path, of: "one")
            #expect(journal.pieces == Array(pieces.prefix(max(0, ends.count { $0 <= count } - 1))))
            // New pieces are appended after the last complete line.
            for piece in pieces.dropFirst(journal.pieces.count) { try journal.add(piece) }
            #expect([UInt8](try folder.data("journal")) == bytes)
        }
        let head = String(decoding: bytes[..<ends[0]], as: UTF8.self)
        for line in [
            "{}", "null", #"{"index":0,"frames":[5,1],"texts":[]}"#, #"{"index":1,"frames":[0,1],"texts":[]}"#,
            #"{"index":0,"frames":[0,1],"texts":[{"text":"é","frames":[0,1],"words":[{"text":[1,2],"frames":[0,1]}]}]}"#,
            #"{"index":0,"frames":[0,9],"texts":[{"text":"ab cd","frames":[0,9],"words":[{"text":[3,5],"frames":[0,1]},{"text":[0,2],"frames":[2,3]}]}]}"#,
            #"{"index":0,"frames":[0,9223372036854775807],"texts":[{"text":"a","frames":[0,1],"words":[{"text":[-1,9],"frames":[0,1]}]}]}"#,
        ] {
            try folder.write((head + line + "\n").utf8, to: "journal")
            #expect(try TranscriptJournal(path, of: "one").pieces.isEmpty, "\(line)")
        }
    }
}
