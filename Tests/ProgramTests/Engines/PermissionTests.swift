import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Permissions for an engine's needs", .ownThreads)
struct PermissionTests {
    private static let memory = "NEED(SYNTH_NEED_EXECUTABLE_MEMORY, NULL)"
    private static let folder = "NEED(SYNTH_NEED_FOLDER, \"/opt/voices\")"

    /// A user with the intruder engine, which speaks if the kernel permits the operation in the text.
    private func home(_ needs: String) throws -> UserHome {
        let home = try UserHome()
        try home.install("intruder", ["NEEDS=\(needs)"])
        return home
    }

    private func speak(_ home: UserHome) throws -> ChildResult {
        try home.run("speak", "-e", "intruder", "-o", home.file("x.wav"), "executable")
    }

    @Test("`list`, `show` and `doctor` show a need and the command that allows it")
    func shown() throws {
        let home = try home("\(Self.memory), \(Self.folder)")
        let asks = "memory for code that it generates, which is not allowed: \"It is a test.\""
        let remedy = "To allow it, type: synthhost engines allow intruder executable-memory folder:/opt/voices"
        for arguments in [["list"], ["show", "intruder"]] {
            let text = try home.run(["engines"] + arguments).text
            #expect(text.contains(asks) && text.contains("the folder /opt/voices") && text.contains(remedy), "\(text)")
        }
        let doctor = try home.run("doctor").text
        #expect(doctor.contains("note  engine: intruder requests \(asks)\n      \(remedy)"), "\(doctor)")
        let json = try home.run("engines", "show", "intruder", "--json").text
        #expect(
            json.contains(
                #""needs":[{"allowed":false,"kind":"executable-memory","reason":"It is a test."},"#
                    + #"{"allowed":false,"kind":"folder","path":"/opt/voices","reason":"It is a test."}]"#), "\(json)")
    }

    @Test("A need is denied until it is allowed and again after the permission is withdrawn")
    func allowed() throws {
        let home = try home(Self.memory)
        let refused = try speak(home)
        #expect(refused.code != 0 && refused.errors.contains("refused: "), "\(refused.errors)")
        #expect(refused.errors.contains("To allow it, type: synthhost engines allow intruder executable-memory"))

        let allowed = try home.run("engines", "allow", "intruder", "executable-memory")
        #expect(allowed.code == 0 && allowed.errors.contains("memory for code that it generates, which you allow"))
        #expect(try speak(home).code == 0)
        #expect(try home.run("doctor").text.contains("ok    engine: intruder requests memory for code"))
        let attributes = try FileManager.default.attributesOfItem(atPath: home.file("config/synthhost/allowed.json"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)

        #expect(try home.run("engines", "deny", "intruder").code == 0)
        #expect(try speak(home).code != 0)
    }

    @Test("A need may be allowed by kind alone only if there is exactly one need of that kind")
    func several() throws {
        let home = try home("\(Self.folder), NEED(SYNTH_NEED_FOLDER, \"/root\")")
        let both = try home.run("engines", "allow", "intruder", "folder")
        #expect(both.code == 64)
        #expect(
            both.errors.contains("has several requests of this type: folder:/opt/voices, folder:/root."),
            "\(both.errors)")
        #expect(try home.run("engines", "allow", "intruder", "folder:/opt/voices").code == 0)
        let shown = try home.run("engines", "show", "intruder").text
        #expect(shown.contains("the folder /opt/voices, which you allow"))
        #expect(shown.contains("the folder /root, which is not allowed"))
    }

    @Test("A permission expires when the engine's file changes but not when it is merely moved")
    func changed() throws {
        let home = try home(Self.memory)
        #expect(try home.run("engines", "allow", "intruder", "executable-memory").code == 0)
        try FileManager.default.moveItem(
            atPath: "\(home.plugins)/intruder.so", toPath: "\(home.plugins)/moved.so")
        #expect(try speak(home).code == 0)
        try home.install("intruder", ["NEEDS=\(Self.memory)", "AT_LOAD=\"/nowhere\""], as: "moved")
        #expect(try speak(home).code != 0)
        #expect(try home.run("engines", "list").text.contains("which is not allowed"))
    }

    @Test("Without confinement, the first use of each third-party engine file prints a warning")
    func unconfined() throws {
        let home = try UserHome()
        try home.install("reed")
        func speak(_ engine: String) throws -> String {
            let result = try home.run("speak", "-e", engine, "-o", home.file("x.wav"), "a")
            #expect(result.code == 0)
            return result.errors
        }
        let words =
            "The engine reed runs with all your permissions: limits.confinement is off. For details, type: synthhost doctor\n"
        #expect(try !speak("reed").contains("limits.confinement"))
        #expect(try home.run("config", "set", "limits.confinement", "off").code == 0)
        #expect(try speak("reed").hasPrefix(words))
        #expect(try !speak("reed").contains("limits.confinement"))
        #expect(try !speak("espeak-ng").contains("limits.confinement"))
        try home.install("reed", ["NEWER"])
        #expect(try speak("reed").hasPrefix(words))
    }

    @Test("The error for an impossible permission or a damaged file includes the remedy")
    func mistakes() throws {
        let home = try home(Self.memory)
        let other = try home.run("engines", "allow", "intruder", "network")
        #expect(other.code == 64)
        #expect(other.errors.contains("does not request \"network\". Its requests are executable-memory."))
        let nobody = try home.run("engines", "allow", "nobody", "network")
        #expect(nobody.code == 69 && nobody.errors.contains("No engine is called \"nobody\"."))
        let modest = try home.run("engines", "allow", "espeak-ng", "network")
        #expect(
            modest.code == 64 && modest.errors.contains("requests no permissions beyond those that every engine has."))

        try home.write("{", to: "config/synthhost/allowed.json")
        let damaged = try home.run("engines", "allow", "intruder", "executable-memory")
        #expect(damaged.code == 78 && damaged.errors.contains("allowed.json"), "\(damaged.errors)")
        #expect(try home.data("config/synthhost/allowed.json") == Data("{".utf8))
        #expect(try speak(home).code != 0)
        #expect(damaged.errors.contains("Move \(home.file("config/synthhost/allowed.json")) out of the way"))
        #expect(try home.run("doctor").text.contains("allowed.json out of the way"))
    }
}
