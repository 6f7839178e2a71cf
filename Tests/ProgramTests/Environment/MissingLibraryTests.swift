import CommandSupport
import Testing
import TestSupport

@Suite("Missing system libraries", .ownThreads)
struct MissingLibraryTests {
    /// A user whose machine has an invalid file instead of the library.
    private func home(
        without library: String, programs: String = BuildFolder.withoutNeuralEngines
    ) throws -> (home: UserHome, variables: [String: String?]) {
        let home = try UserHome(programs: programs)
        try home.write("no library", to: "broken/\(library)")
        let path = home.environment["LD_LIBRARY_PATH"].map { ":\($0)" } ?? ""
        return (home, ["LD_LIBRARY_PATH": home.file("broken") + path])
    }

    @Test(
        "The doctor reports which features are unavailable and names the packages that provide them",
        arguments: [
            (
                "libebur128.so.1", "note  loudness: libebur128.so.1 is missing, so new voices may be louder or softer",
                "Type: sudo apt install libebur128-1\n"
            ),
            (
                "libmd4c-html.so.0", "note  Markdown: libmd4c-html.so.0 is missing",
                "Type: sudo apt install libmd4c0 libmd4c-html0\n"
            ),
            (
                "libsndfile.so.1", "note  audio files: libsndfile.so.1 cannot be used to encode audio",
                "sudo apt install libsndfile1;"
            ),
        ])
    func doctor(library: String, finding: String, remedy: String) throws {
        let (home, variables) = try home(without: library)
        let report = try home.runProcess("doctor", adding: variables).text
        #expect(report.contains(finding) && report.contains(remedy), "\(report)")
        let whole = try home.runProcess("doctor").text
        for subject in ["loudness", "Markdown", "audio files"] {
            #expect(whole.contains("ok    \(subject): "), "\(whole)")
        }
    }

    @Test("For Markdown, the error names the runtime packages, not the development packages")
    func markdown() throws {
        let (home, variables) = try home(without: "libmd4c.so.0")
        let spoken = try home.runProcess(
            "speak", "--markdown", "# Hello", "-o", home.file("a.wav"), adding: variables)
        #expect(spoken.code == 69)
        #expect(
            spoken.errors.hasSuffix(
                "\nType: sudo apt install libmd4c0 libmd4c-html0\n"),
            "\(spoken.errors)")
    }

    @Test("Without the fast Opus encoder, a different encoder is used", arguments: [true, false])
    func opus(isThere: Bool) throws {
        let (home, variables) = try home(without: isThere ? "libnone.so" : "libopusenc.so.0")
        let spoken = try home.runProcess(
            "speak", "-q", "-e", "tone", "Hello", "-o", home.file("a.opus"), adding: variables)
        #expect(spoken.code == 0 && spoken.errors == "", "\(spoken.errors)")
        // The file's header names the encoder.
        let head = String(decoding: try home.data("a.opus").prefix(500), as: UTF8.self)
        #expect(head.contains("OpusTags") && head.contains("libopusenc") == isThere, "\(head)")
    }

    @Test(
        "When a voice is added, a missing measurement library is reported once",
        .enabled(if: BuildFolder.hasNeuralEngines))
    func loudness() throws {
        let (home, variables) = try home(without: "libebur128.so.1", programs: BuildFolder.path)
        let fixtures = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        let added = try home.runProcess(
            "models", "add", "/\(fixtures)/Fixtures/Voices/en_US-tern-x_low.onnx", adding: variables)
        #expect(added.code == 0)
        let lines = added.errors.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("The loudness of Tern could not be measured") }.count == 1, "\(added.errors)")
        #expect(lines.contains { $0.hasSuffix("Type: sudo apt install libebur128-1") })
        let told = try home.runProcess("voices", "Tern", adding: variables).text
        #expect(told.contains("loudness") && told.contains("not measured (libebur128.so.1 is missing)"), "\(told)")
    }
}
