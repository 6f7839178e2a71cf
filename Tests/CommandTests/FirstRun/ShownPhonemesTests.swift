import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("speak --show-phonemes", .ownThreads, .enabled(if: BuildFolder.hasNeuralEngines))
struct ShownPhonemesTests {
    private struct Word: Decodable, Equatable {
        var text: String
        var phonemes: String
        var bytes: [Int]
    }

    private struct Line: Decodable {
        var text: String
        var said: String
        var words: [Word]
    }

    @Test("Each word is printed with its phonemes, each sentence ends with an empty line, and nothing is played")
    func words() throws {
        let layout = try RealLayout()
        #expect(try layout.run(["models", "pull", "-q", "Kore Small"]).code == 0)
        let shown = try layout.run(["speak", "-v", "Kore", "--show-phonemes", "Hello, world. It costs $3."])
        #expect(shown.code == 0, "\(shown.errors)")
        #expect(
            shown.text == """
                Hello  həlˈoʊ
                world  wˈɜɹld

                It       ˌɪt
                costs    kˈɔsts
                three    θɹˈi
                dollars  dˈɑləɹz


                """, "\(shown.text)")
        #expect(!layout.home.exists("played.wav"))
    }

    @Test("With --json, each sentence is an object that includes the positions of words and phonemes in the document")
    func json() throws {
        let layout = try RealLayout()
        #expect(try layout.run(["models", "pull", "-q", "Kore Small"]).code == 0)
        let words = ["speak", "-v", "Kore", "--show-phonemes", "--tokens", "--json", "It is 3. Say [[ɡˈɪf]]."]
        let lines = try layout.run(words).lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(lines.map(\.text) == ["It is 3.", "Say [[ɡˈɪf]]."])
        #expect(lines.first?.said == "It is three.")
        #expect(lines.first?.words.last == Word(text: "three", phonemes: "θɹˈi", bytes: [6, 7]))
        #expect(lines.last?.words.map(\.phonemes) == ["sˈeɪ", "ɡˈɪf"])
    }

    @Test("Options that write audio are rejected, and the error names engines that report phonemes")
    func refused() throws {
        let layout = try RealLayout()
        let file = try layout.run(["speak", "--show-phonemes", "Hello", "-o", layout.home.file("a.wav")])
        #expect(file.code == 64, "\(file.errors)")
        let silent = try layout.run(["speak", "-e", "tone", "--show-phonemes", "Hello"])
        #expect(silent.code == 69)
        #expect(
            silent.errors.hasPrefix(
                """
                synthhost: The engine tone does not report its phonemes.
                Show the words with --show-text, or choose a voice from hibari or kokoro or piper with -v.
                """), "\(silent.errors)")
    }
}
