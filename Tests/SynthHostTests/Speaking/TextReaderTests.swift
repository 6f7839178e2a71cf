import Glibc
import SynthScript
import SynthSystem
import Testing
import TestSupport

@testable import SynthHost
@testable import SynthSpeech
@testable import SynthUserVoices

@Suite("Reading text")
struct TextReaderTests {
    private func pipe() throws -> (reader: TextReader, writing: Descriptor) {
        let (reading, writing) = try Descriptor.pipe()
        return (try TextReader(reading, name: "The pipe"), writing)
    }

    @Test("The complete text of a file is read, and its size is known")
    func file() throws {
        let home = try UserHome()
        let text = String(repeating: "Some words. ", count: 20_000)
        try home.write(text, to: "text.txt")
        let reader = try TextReader(path: home.file("text.txt"))
        #expect(reader.byteCount == 240_000)
        // Bytes that were read on opening are not read again.
        #expect(truncate(home.file("text.txt"), 0) == 0)
        var (count, end) = (0, 0)
        while let utterance = try reader.next()?.utterance {
            #expect(utterance.sourceRange.lowerBound >= end)
            end = utterance.sourceRange.upperBound
            count += utterance.text.utf8.count { $0 != 0x20 }
        }
        #expect(count == 20_000 * 10)
        #expect(try reader.next() == nil)
    }

    @Test("A sentence from a pipe is delivered before the next sentence is written")
    func sentences() throws {
        let (reader, writing) = try pipe()
        #expect(reader.byteCount == nil)
        try writing.writeAll(Array("One. Tw".utf8))
        #expect(try reader.next()?.utterance?.text == "One.")
        try writing.writeAll(Array("o. ".utf8))
        #expect(try reader.next()?.utterance?.text == "Two.")
        try writing.writeAll(Array("A line without an end\n".utf8))
        #expect(try reader.next()?.utterance?.text == "A line without an end")
        withExtendedLifetime(writing) {}
    }

    @Test("If the text arrives slowly and is being played, a clause is delivered first", arguments: [true, false])
    func anew(isAwaited: Bool) throws {
        let (reader, writing) = try pipe()
        reader.beginSoon { isAwaited }
        let sentence = "The kettle is on the stove, and the cups are on the table."
        try writing.writeAll(Array("\(sentence) \(sentence)".utf8))
        #expect(try reader.next()?.utterance?.text == "The kettle is on the stove,")
        #expect(try reader.next()?.utterance?.text == "and the cups are on the table.")
        // The sentence is delivered because no more text has arrived in time.
        #expect(try reader.next()?.utterance?.text == sentence)
        try writing.writeAll(Array("\(sentence)\u{C}".utf8))
        #expect(try reader.next()?.utterance?.text == (isAwaited ? "The kettle is on the stove," : sentence))
        withExtendedLifetime(writing) {}
    }

    @Test("The end of a pipe is the end of the text")
    func end() throws {
        var (reader, writing): (TextReader, Descriptor?) = try pipe()
        try writing?.writeAll(Array("No end".utf8))
        writing = nil
        #expect(try reader.next()?.utterance?.text == "No end")
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test("Stopping ends the current wait and all later ones")
    func stop() throws {
        let (reader, writing) = try pipe()
        let answer = Monitor<Bool?>(nil)
        startThread("reader") {
            let isOver = (try? reader.next()) == nil
            answer.update { $0 = isOver }
        }
        reader.stop()
        #expect(answer.wait(timeout: .seconds(300)) { $0 } == true)
        #expect(try reader.next() == nil)
        withExtendedLifetime(writing) {}
    }

    @Test("The text before an invalid byte is delivered before the error is thrown")
    func invalid() throws {
        let (reader, writing) = try pipe()
        try writing.writeAll(Array("Good. Also go".utf8) + [0xFF] + Array("od.".utf8))
        #expect(try reader.next()?.utterance?.text == "Good.")
        #expect(try reader.next()?.utterance?.text == "Also go")
        for _ in 0..<2 {
            #expect {
                _ = try reader.next()
            } throws: { error in
                error as? SpeechError == .invalidUTF8(offset: 13, byte: 0xFF)
            }
        }
    }

    @Test("An entire file is checked for valid UTF-8 before any of its text is delivered")
    func check() throws {
        let home = try UserHome()
        try home.write(Array(String(repeating: "a", count: 300_000).utf8) + [0xC3], to: "text.txt")
        #expect {
            _ = try TextReader(path: home.file("text.txt"))
        } throws: { error in
            error as? SpeechError == .truncatedUTF8(offset: 300_000)
        }
    }

    @Test(
        "A folder and a missing file cause different errors", arguments: [("", EISDIR), ("/nowhere.txt", ENOENT)])
    func unreadable(name: String, code: Int32) throws {
        let home = try UserHome()
        #expect {
            _ = try TextReader(path: home.path + name)
        } throws: { error in
            error as? SpeechError == .notReadable(home.path + name, Errno(code))
        }
    }
}
