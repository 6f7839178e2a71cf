import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Voices that their engine does not support", .ownThreads)
struct UnsupportedVoiceTests {
    private func home() throws -> UserHome {
        let home = try UserHome()
        let registry = """
            {"voices": [{"id": "jf_1", "engine": "tone", "name": "Kiri", "language": "ja",
            "unsupported": "its Japanese is not supported yet", "files": [{"role": "pitch",
            "url": "https://voices.example/a.pitch", "size": 100, "sha256": "\(String(repeating: "a", count: 64))"}]}]}
            """
        try home.write(registry, to: "data/synthhost/models.json")
        return home
    }

    @Test("An unsupported voice is marked in the lists")
    func lists() throws {
        let home = try home()
        let line = try home.run("voices", "--all", "--language", "ja").text.split(separator: "\n")
            .first { $0.contains("Kiri") }
        #expect(line?.contains("not supported") == true)
        #expect(try home.run("voices", "--all", "--json").text.contains("\"unsupported\""))
    }

    @Test("A supported voice with the same name is preferred")
    func name() throws {
        let home = try home()
        let alpha = try home.run("speak", "-v", "Alpha", "a", "-o", home.file("a.wav"))
        #expect(!alpha.errors.contains("matches several voices"), "\(alpha.errors)")
        let japanese = try home.run("speak", "-v", "jf_alpha", "a", "-o", home.file("a.wav"))
        #expect(japanese.code == 69, "\(japanese.errors)")
    }

    @Test(
        "Unsupported voices are neither used nor downloaded, and the error includes the reason",
        arguments: ["speak", "pull", "choose", "blend"])
    func refused(how: String) throws {
        let home = try home()
        let run =
            switch how {
            case "speak": try home.run("speak", "-v", "Kiri", "--yes", "a", "-o", home.file("a.wav"))
            case "pull": try home.run("models", "pull", "Kiri")
            case "choose": try home.run("voices", "choose", "jf_1", "--yes")
            default: try home.run("speak", "-v", "Sine+Kiri", "--yes", "a", "-o", home.file("a.wav"))
            }
        #expect(run.code == 69)
        let words =
            how == "blend"
            ? "all voices of a blend must use the same model"
            : "The voice Kiri cannot be used: its Japanese is not supported yet."
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(!home.exists("data/synthhost/models/jf_1"))
    }
}
