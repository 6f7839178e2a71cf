import Foundation
import SynthEngineWire
import SynthListening
import SynthSystem
import Testing
import TestSupport

@Suite("A transcript", .ownThreads)
struct TranscriptTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func text(_ text: String, _ frames: Range<UInt64>, words: Bool = true) -> HeardText {
        var place = 0
        let parts = text.split(separator: " ")
        let each = UInt64(frames.count) / UInt64(max(1, parts.count))
        let heard = parts.enumerated().map { index, word in
            defer { place += word.utf8.count + 1 }
            let begin = frames.lowerBound + UInt64(index) * each
            return HeardWord(text: place..<place + word.utf8.count, frames: begin..<begin + each, confidence: 0.5)
        }
        return HeardText(text, frames: frames, language: "en", words: words ? heard : [], confidence: 0.75)
    }

    private func written(_ form: TranscriptFormat, _ texts: [HeardText]) -> String {
        var page = TranscriptText(form, rate: 1000)
        return page.head + texts.map { page.add($0) }.joined() + page.tail
    }

    @Test("as subtitles has times, numbers, and marks that are read as text")
    func subtitles() {
        let texts = [text("a <b> & c --> d", 500..<3_661_001, words: false)]
        #expect(written(.srt, texts) == "1\n00:00:00,500 --> 01:01:01,001\na <b> & c -> d\n\n")
        #expect(
            written(.vtt, texts)
                == "WEBVTT\n\n00:00:00.500 --> 01:01:01.001\na &lt;b&gt; &amp; c --&gt; d\n\n")
        #expect(written(.vtt, []) == "WEBVTT\n\n" && written(.srt, []) == "")
    }

    @Test("cuts long texts between words into cues that follow each other and lose nothing", arguments: [1, 3, 8])
    func cues(seconds: Int) throws {
        let said = (1...60).map { "word\($0)," }.joined(separator: " ") + " Ünd größer…"
        let cues = written(.srt, [text(said, 0..<UInt64(seconds * 62_000 / 5))]).split(separator: "\n\n")
        var joined: [Substring] = []
        var latest = ""
        for (index, cue) in cues.enumerated() {
            let lines = cue.split(separator: "\n")
            #expect(lines.count == 3 && lines[0] == "\(index + 1)" && lines[2].count <= 84)
            let times = lines[1].components(separatedBy: " --> ")
            #expect(times[0] >= latest && times[1] >= times[0])
            latest = times[1]
            joined.append(lines[2])
        }
        #expect(joined.joined(separator: " ") == said)
        #expect(cues.count > 5)
    }

    @Test("as JSON is one object, whatever is in a text")
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

    @Test("is kept piece by piece, and read again as it was")
    func journal() throws {
        let path = folder.file("journal")
        do {
            let journal = try TranscriptJournal(path, of: "one")
            #expect(journal.pieces.isEmpty)
            for piece in pieces.prefix(2) { try journal.add(piece) }
            // Nobody else writes it meanwhile.
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
        // What is no file of one's own is left alone.
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(throws: Errno.self) { _ = try TranscriptJournal(folder.file("link"), of: "one") }
        #expect(link(path, folder.file("other")) == 0)
        #expect(throws: Errno.exists) { _ = try TranscriptJournal(path, of: "two") }
        #expect(unlink(folder.file("other")) == 0)
        // Another sound, or another model.
        #expect(try TranscriptJournal(path, of: "two").pieces.isEmpty)
        #expect(try TranscriptJournal(path, of: "one").pieces.isEmpty)
    }

    @Test("that was cut anywhere, or damaged, is read as far as it is whole")
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
            // What follows is added after the last whole line.
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
