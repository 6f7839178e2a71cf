import Foundation
import SynthAudio
import SynthSystem
import TestSupport
import Testing

@testable import SynthHost
@testable import SynthUserVoices

@Suite("Audiobooks created by the library", .ownThreads)
struct SpeechBookTests {
    private let home: UserHome
    private let host: SpeechHost

    private static let novel = """
        # The lamp

        Anna opens the door. "It is dark," said Anna.

        "Take the lamp," said Ben. "I will wait."

        # The wall

        The wall is high, and the lamp is small.
        """

    private static let epub = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Documents/lamp.epub").path

    init() throws {
        home = try UserHome()
        host = SpeechHost(
            HostSetup(
                installation: try Installation(executable: "\(home.programs)/synthhost", environment: [:]),
                folders: UserFolders(environment: home.environment), environment: home.environment))
        try home.write(Self.novel, to: "lamp.md")
    }

    private func book() async throws -> SpeechBook { try await host.book(home.file("lamp.md")) }

    private func narrator() async throws -> SpeechSession { try await host.session(try await host.voice("tone/sine")) }

    @Test("A document has chapters, characters and their lines")
    func contents() async throws {
        let book = try await book()
        #expect(book.chapters.map(\.title) == ["The lamp", "The wall"])
        #expect(book.chapters.map(\.number) == [1, 2] && book.chapters.map(\.wordCount) == [19, 11])
        #expect(book.chapters[1].text == "The wall\n\nThe wall is high, and the lamp is small.")
        #expect(Set(book.characters.map(\.name)) == ["Anna", "Ben"])
        #expect(book.characters.first { $0.name == "Anna" }?.firstLine == "\"It is dark,\"")
    }

    @Test("One file is written to the folder for each chapter, and a second call keeps finished files")
    func folder() async throws {
        let (book, session) = (try await book(), try await narrator())
        var fractions: [Double] = []
        var files: [BookWriting.File] = []
        for try await event in book.write(to: home.file("Lamp"), by: session, BookOptions(format: .flac)) {
            switch event {
            case .progress(let fraction): fractions.append(fraction)
            case .file(let file): files.append(file)
            }
        }
        #expect(fractions.last == 1 && fractions == fractions.sorted())
        #expect(files.map(\.path) == ["01 The lamp.flac", "02 The wall.flac"].map { home.file("Lamp/\($0)") })
        #expect(files.map(\.chapter) == [1, 2] && files.allSatisfy { !$0.wasKept && $0.duration > .seconds(1) })
        let again = try await book.write(to: home.file("Lamp"), by: session, BookOptions(format: .flac)).finish()
        #expect(again.map(\.path) == files.map(\.path) && again.allSatisfy(\.wasKept))
        // With a different voice, the chapter is spoken again.
        let options = BookOptions(chapters: [2], voices: ["Ben": "tone/low"], format: .flac)
        let part = try await book.write(to: home.file("Part"), by: session, options).finish()
        #expect(part.map(\.chapter) == [2])
    }

    @Test("The command resumes a book that was started through the library")
    func sharedWithCommand() async throws {
        let (book, session) = (try await book(), try await narrator())
        let files = try await book.write(to: home.file("lamp.flac"), by: session).finish()
        #expect(files.map(\.path) == [home.file("lamp.flac")] && files[0].chapter == nil)
        let result = try home.runProcess(
            "book", home.file("lamp.md"), "-o", home.file("lamp.flac"), "-v", "tone/sine", "--json")
        #expect(result.code == 0 && result.text.contains("\"kept\":true"), "\(result.text) \(result.errors)")
    }

    @Test(
        "Errors state the cause: an unknown voice for a character, a missing file, a different book or a cancelled call"
    )
    func failures() async throws {
        let (book, session) = (try await book(), try await narrator())
        func code(_ body: () async throws -> Void) async -> SpeechError.Code? {
            do { try await body() } catch { return (error as? SpeechError)?.code }
            return nil
        }
        #expect(await code { _ = try await host.book(home.file("none.epub")) } == .fileNotReadable)
        try home.write(Array("PK\u{3}\u{4}".utf8), to: "broken.epub")
        #expect(await code { _ = try await host.book(home.file("broken.epub")) } == .documentDamaged)
        let voices = BookOptions(voices: ["Anna": "Nobody"])
        #expect(await code { try await book.write(to: home.file("A"), by: session, voices).finish() } == .voiceUnknown)
        let format = BookOptions(format: .mp3)
        #expect(
            await code { try await book.write(to: home.file("a.flac"), by: session, format).finish() }
                == .formatContradicted)
        try await book.write(to: home.file("Lamp"), by: session, BookOptions(format: .wav)).finish()
        try home.write("# Another book\n\nIt is not the same.", to: "other.md")
        let other = try await host.book(home.file("other.md"))
        #expect(
            await code { try await other.write(to: home.file("Lamp"), by: session, BookOptions(format: .wav)).finish() }
                == .bookFolderUnusable)
        // The document is not replaced.
        try FileManager.default.copyItem(atPath: Self.epub, toPath: home.file("lamp.epub"))
        let novel = try await host.book(home.file("lamp.epub"))
        #expect(
            await code { try await novel.write(to: home.file("lamp.epub"), by: session).finish() } == .fileInUse)
        #expect(await code { try await book.write(to: home.file("lamp.m4a"), by: session).finish() } == .formatUnknown)
        let none = BookOptions(chapters: [7])
        #expect(await code { try await book.write(to: home.file("N"), by: session, none).finish() } == .nothingToSay)
        // A call that follows a cancelled call waits until that call has ended.
        for try await _ in book.write(to: home.file("D"), by: session) { break }
        #expect(try await book.write(to: home.file("D"), by: session).finish().count == 2)
        let writing = book.write(to: home.file("C"), by: session)
        writing.cancel()
        #expect(await code { try await writing.finish() } == .cancelled)
    }
}
