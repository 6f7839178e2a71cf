import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Unusual environments", .ownThreads)
struct UnusualEnvironmentTests {
    private func shell(_ line: String, _ home: UserHome) throws -> ChildResult {
        try ChildProcess(
            "/bin/sh", arguments: ["-c", line, "\(home.programs)/synthhost"].map { Array($0.utf8) },
            environment: home.environment
        ).finish()
    }

    @Test(
        "A path in the environment that is not valid UTF-8 is reported before anything is written",
        arguments: ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "SYNTHHOST_CONFIG"])
    func misleading(variable: String) throws {
        let home = try UserHome()
        try home.write("", to: "caf/keep")
        let line = "export \(variable)=\"$HOME/caf$(printf '\\351')\"; exec \"$0\""
        for command in ["config set rate 2", "voices", "speak Hi -o x.wav", "help --complete -- speak -v ''"] {
            let result = try shell("\(line) \(command)", home)
            #expect(result.code == 78 && result.output == [], "\(result)")
            #expect(result.errors.hasPrefix("synthhost: The environment variable \(variable) is not UTF-8"))
            #expect(result.errors.split(separator: "\n").count == 2)
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: home.path)) == ["asound.conf", "caf"])
        #expect(try shell("\(line) --version", home).code == 0)
        #expect(try shell("\(line) speak --help", home).code == 0)
    }

    @Test("An environment variable that is not a path can have any value")
    func otherVariable() throws {
        let home = try UserHome()
        #expect(try shell("export NAME=\"$(printf '\\351')\"; exec \"$0\" config get rate", home).text == "1\n")
    }

    @Test(
        "The command line can be read even without /proc", .enabled(if: Namespace.works),
        .disabled(if: Sanitizer.isActive, "A sanitizer needs /proc."))
    func noProc() throws {
        let home = try UserHome()
        let program = "'\(home.programs)/synthhost'"
        let bare = "\(Namespace.withoutProc) && cd '\(home.path)' &&"
        let version = try Namespace.run("\(bare) \(program) --version", home)
        #expect(version.code == 0 && version.text.hasPrefix("synthhost ") && version.lines.count == 1)
        let mistake = try Namespace.run("\(bare) \(program) speek", home)
        #expect(mistake.code == 64 && mistake.errors.contains("Did you mean speak?"))
        let spoken = try Namespace.run("\(bare) \(program) speak -e tone Hello -o x.wav", home)
        #expect(spoken.code == 0, "\(spoken.errors)")
        #expect(try home.wav("x.wav").frames > 0)
        // The program finds the components next to it even when started through a relative path or a link.
        let linked = try Namespace.run("\(bare) ln -s \(program) s && ./s engines list", home)
        #expect(linked.code == 0 && linked.text.contains("tone"), "\(linked)")
        let validated = try Namespace.run(
            "\(bare) \(program) engines validate '\(home.programs)/libTone.so' --include '^describes'", home)
        #expect(!validated.errors.contains("starts synthhost-check"), "\(validated)")
    }
}
