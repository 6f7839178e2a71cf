import Foundation
import Testing
import TestSupport

@Suite("Scripts/new-engine", .ownThreads) struct NewEngineTests {
    @Test(
        "The printed commands build an engine in C and speak with it, even if the folder's name must be quoted",
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."))
    func c() throws {
        let home = try ScriptHome()
        let made = try home.run("synthhost/Scripts/new-engine my-hum --c \"an author's folder\" 2>&1")
        try #require(made.status == 0, "\(made.output)")
        // The commands are delimited by blank lines. The script that would build the program is replaced by the built
        // program.
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
            .replacing("~/synthhost/Scripts/synthhost", with: "synthhost")
        #expect(commands.hasPrefix("cd "))
        try #require(!commands.contains("/Scripts/synthhost"), "This would wait for the build that runs the tests.")
        let result = try home.run(try home.runnable(commands + "\nsynthhost engines list"))
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"))
        #expect(result.output.contains("passed   rate-is-reached"))
        #expect(home.size(of: "an author's folder/hello.wav") > 20_000)
        #expect(result.output.contains("my-hum  My Hum 0.1"))
    }

    @Test(
        "The printed commands build an engine for ONNX models and speak with the included model",
        .enabled(if: BuildFolder.hasNeuralEngines, "This test needs ONNX Runtime."),
        .disabled(if: Sanitizer.isActive, "A sanitizer retains freed memory."))
    func onnx() throws {
        let home = try ScriptHome()
        let made = try home.run("synthhost/Scripts/new-engine my-hum --swift --onnx 2>&1")
        try #require(made.status == 0, "\(made.output)")
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
            .replacing("~/synthhost/Scripts/synthhost", with: "synthhost")
        let result = try home.run(try home.runnable(commands + "\nsynthhost engines list"))
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"))
        // The check also covers the libraries that the engine links against.
        #expect(result.output.contains("passed   exports-only-entry"))
        #expect(home.size(of: "my-hum/hello.wav") > 20_000)
        #expect(result.output.contains("my-hum  My Hum 0.1"))
        // A model with different inputs and outputs is rejected with a message.
        let voice = ScriptHome.checkout.appending(path: "Tests/Fixtures/Voices/en_US-tern-x_low.onnx").path
        let refused = try home.run(
            "synthhost models add \(voice) --engine my-hum --name Tern && synthhost speak -v Tern Hello -o x.wav")
        #expect(refused.status == 69)
        #expect(refused.output.contains("unexpected inputs or outputs"))
    }

    @Test(
        "An invalid name and missing arguments are rejected",
        arguments: [
            "Hum --c", "hum", "--c", "h/um --c", "'' --c", "hum --c --swift", "hum --c --onnx", "hum --rust",
            "hum --c a b", "--recognizer", "--recognizer Hum", "--recognizer hum --swift --onnx",
        ])
    func refuses(arguments: String) throws {
        let home = try ScriptHome()
        let result = try home.run("synthhost/Scripts/new-engine \(arguments)")
        #expect(result.status == 64)
        #expect(result.output.contains("Usage: "))
    }

    @Test("--help prints the usage", arguments: ["--help", "-h"])
    func help(option: String) throws {
        let home = try ScriptHome()
        let result = try home.run("synthhost/Scripts/new-engine \(option) 2>/dev/null")
        #expect(result.status == 0 && result.output.contains("Usage: Scripts/new-engine NAME --c [FOLDER]\n"))
        #expect(result.output.contains("Scripts/new-engine --recognizer NAME [--c | --swift] [FOLDER]\n"))
    }

    @Test("A non-empty folder is not changed")
    func keeps() throws {
        let home = try ScriptHome()
        let result = try home.run("mkdir full; echo mine > full/mine.c; synthhost/Scripts/new-engine mine --c full")
        #expect(result.status == 73)
        #expect(try home.run("cat full/mine.c").output.contains("mine\n"))
    }

    @Test(
        "Scripts/install rejects missing or invalid arguments", arguments: ["", "--uninstall", "--help", "a b"])
    func install(arguments: String) throws {
        let home = try ScriptHome()
        #expect(try home.run("synthhost/Scripts/install \(arguments)").status == 64)
    }
}
