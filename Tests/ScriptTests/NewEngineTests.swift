import Foundation
import Testing
import TestSupport

@Suite("Scripts/new-engine", .ownThreads) struct NewEngineTests {
    @Test("shows commands that build an engine in C and speak with it, also where the folder needs quotes")
    func c() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let made = try workshop.run("synthhost/Scripts/new-engine my-hum --c \"an author's folder\" 2>&1")
        try #require(made.status == 0, "\(made.output)")
        // The commands stand between two empty lines. The built program stands in for the script that would build it.
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
            .replacing("\(workshop.home.path)/synthhost/Scripts/synthhost", with: "synthhost")
        #expect(commands.hasPrefix("cd "))
        try #require(!commands.contains("/Scripts/synthhost"), "This would wait for the build that runs the tests.")
        let result = try workshop.run(try workshop.runnable(commands + "\nsynthhost engines list"))
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"))
        #expect(workshop.size(of: "an author's folder/hello.wav") > 20_000)
        #expect(result.output.contains("my-hum  My Hum 0.1"))
    }

    @Test(
        "shows commands that build an engine for ONNX models and speak with the one that comes along",
        .enabled(if: BuildFolder.hasNeuralEngines, "needs ONNX Runtime"))
    func onnx() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let made = try workshop.run("synthhost/Scripts/new-engine my-hum --swift --onnx 2>&1")
        try #require(made.status == 0, "\(made.output)")
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
            .replacing("\(workshop.home.path)/synthhost/Scripts/synthhost", with: "synthhost")
        let result = try workshop.run(try workshop.runnable(commands + "\nsynthhost engines list"))
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning:"))
        #expect(workshop.size(of: "my-hum/hello.wav") > 20_000)
        #expect(result.output.contains("my-hum  My Hum 0.1"))
        // Another model is refused in words.
        let voice = Workshop.checkout.appending(path: "Tests/Fixtures/Voices/en_US-tern-x_low.onnx").path
        let refused = try workshop.run(
            "synthhost models add \(voice) --engine my-hum --name Tern && synthhost speak -v Tern Hello -o x.wav")
        #expect(refused.status == 69)
        #expect(refused.output.contains("other tensors than My Hum knows"))
    }

    @Test(
        "refuses a name that no engine may have, and a call that is not whole",
        arguments: [
            "Hum --c", "hum", "--c", "h/um --c", "'' --c", "hum --c --swift", "hum --c --onnx", "hum --rust",
            "hum --c a b",
        ])
    func refuses(arguments: String) throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let result = try workshop.run("synthhost/Scripts/new-engine \(arguments)")
        #expect(result.status == 64)
        #expect(result.output.contains("Usage: "))
    }

    @Test("touches no folder that holds something")
    func keeps() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let result = try workshop.run("mkdir full; echo mine > full/mine.c; synthhost/Scripts/new-engine mine --c full")
        #expect(result.status == 73)
        #expect(try workshop.run("cat full/mine.c").output.contains("mine\n"))
    }

    @Test(
        "a call of Scripts/install that is not whole changes nothing", arguments: ["", "--uninstall", "--help", "a b"])
    func install(arguments: String) throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        #expect(try workshop.run("synthhost/Scripts/install \(arguments)").status == 64)
    }
}
