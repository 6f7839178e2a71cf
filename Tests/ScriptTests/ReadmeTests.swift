import Foundation
import SynthEngineProcesses
import SynthEngineWire
import Testing
import TestSupport

/// Compares the numbers in the README with the build, with a tolerance of a few percent.
@Suite("Numbers in the README", .ownThreads)
struct ReadmeTests {
    private let text: String
    private let home: ScriptHome
    /// The program as built with the neural engines, because the README also counts their voices.
    private static let synthhost = "\"\(BuildFolder.path)/synthhost\""

    init() throws {
        home = try ScriptHome()
        text = try String(contentsOf: ScriptHome.checkout.appending(path: "README.md"), encoding: .utf8)
    }

    /// Returns the number that the pattern captures.
    private func claim(_ pattern: String) throws -> Double {
        let found = try #require(try Regex(pattern).firstMatch(in: text), "The README no longer says \(pattern)")
        return try #require(found.output[1].substring.flatMap { Double($0) })
    }

    private func isClose(_ claimed: Double, _ counted: some BinaryInteger) -> Bool {
        abs(claimed - Double(counted)) <= Double(counted) * 0.03
    }

    /// Returns the objects that a command lists.
    private func list(_ command: String) throws -> [[String: Any]] {
        let result = try home.run("\(Self.synthhost) \(command) --json >list.json 2>errors.txt")
        #expect(result.status == 0, "\(result.output)")
        let data = try Data(contentsOf: home.url.appending(path: "list.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    }

    @Test("The README states the correct number of available voices", .enabled(if: BuildFolder.hasNeuralEngines))
    func voices() throws {
        let voices = try list("voices --all").filter { $0["state"] as? String != "unsupported" }
        let counts = Dictionary(grouping: voices) { $0["engine"] as? String ?? "" }.mapValues(\.count)
        for (engine, pattern) in [
            ("espeak-ng", #"`espeak-ng` \| (\d+) languages and accents"#), ("piper", #"`piper` \| (\d+) to download"#),
            ("kokoro", #"`kokoro` \| (\d+) to download"#), ("hibari", #"`hibari` \| (\d+) to download"#),
            ("tone", #"`tone` \| (\d+) \|"#),
        ] {
            let claimed = try claim(pattern)
            #expect(isClose(claimed, counts[engine] ?? 0), "\(engine): \(claimed), listed \(counts[engine] ?? 0)")
        }
        let variants = try #require(voices.first { $0["engine"] as? String == "espeak-ng" }?["speakers"] as? [Any])
        // The first entry is the voice without a variant.
        #expect(isClose(try claim(#"accents, (\d+) variants each"#), variants.count - 1))
    }

    @Test("The README states the correct number of recognition models", .enabled(if: BuildFolder.hasNeuralEngines))
    func models() throws {
        let models = try list("recognizers").filter { $0["recognizer"] as? String != "silero" }
        #expect(isClose(try claim(#"`parakeet` \| (\d+) models to download"#), models.count), "\(models.count)")
    }

    @Test("The README states the correct counts of engine checks and template lines")
    func forAuthors() throws {
        #expect(isClose(try claim(#"validate` runs (\d+) checks"#), Check.all(of: .engine).count))
        let template = try String(
            contentsOf: ScriptHome.checkout.appending(path: "Plugins/Tone/tone.c"), encoding: .utf8)
        #expect(
            isClose(
                try claim(#"complete engine of (\d+) lines"#),
                template.split(separator: "\n", omittingEmptySubsequences: false).count - 1))
    }

    @Test("The README's table lists all included engines")
    func engines() throws {
        let folder = ScriptHome.checkout.appending(path: "Plugins")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.joined()
        // Test engines are not installed.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name != "Shared" && name != "Scripted" && !name.hasSuffix(".md") {
            let id = name == "EspeakNG" ? "espeak-ng" : name.lowercased()
            #expect(rows.contains("`\(id)`"), "\(id)")
        }
    }

    @Test("The download sizes in the README's tour are correct", .enabled(if: BuildFolder.hasNeuralEngines))
    func downloads() throws {
        for (voice, claim) in [
            ("af_kore-small", "en-US, female, SIZE (recommended)"), ("Amy", "is not downloaded (SIZE)."),
        ] {
            let details = try home.run("\(Self.synthhost) voices \(voice)").output
            let size = try #require(details.firstMatch(of: /not downloaded, ([0-9.]+ [kM]B)/), "\(details)").1
            #expect(text.contains(claim.replacing("SIZE", with: size)), "\(voice): \(size)")
        }
    }
}
