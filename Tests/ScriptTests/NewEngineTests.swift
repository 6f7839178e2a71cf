import Foundation
import Testing

@Suite("Scripts/new-engine") struct NewEngineTests {
    @Test("shows commands that build an engine in C and speak with it, also where the folder needs quotes")
    func c() throws {
        let workshop = try Workshop()
        defer { workshop.remove() }
        let made = try workshop.run("synthhost/Scripts/new-engine my-hum --c \"an author's folder\" 2>&1")
        try #require(made.status == 0, "\(made.output)")
        // The commands stand between two empty lines. The built program stands in for the script that would build it.
        let commands = try #require(made.output.components(separatedBy: "\n\n").dropFirst().first)
            .replacing("\(Workshop.checkout.path)/Scripts/synthhost", with: "synthhost")
        #expect(commands.hasPrefix("cd "))
        let result = try workshop.run(try workshop.runnable(commands + "\nsynthhost engines list"))
        #expect(result.status == 0, "\(result.output)")
        #expect(!result.output.contains("warning"))
        #expect(workshop.size(of: "an author's folder/hello.wav") > 20_000)
        #expect(result.output.contains("my-hum  My Hum 0.1"))
    }

    @Test(
        "refuses a name that no engine may have, and a call that is not whole",
        arguments: ["Hum --c", "hum", "--c", "h/um --c", "'' --c", "hum --c --swift", "hum --rust", "hum --c a b"])
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
