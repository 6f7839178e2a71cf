import Foundation
import Testing

@Suite("Scripts/wording") struct WordingTests {
    /// Runs the check on the given files, keyed by path, with a list of messages that were accepted earlier.
    private func check(
        _ files: [String: String], accepted: String? = nil, option: String = ""
    ) throws -> (status: Int32, output: String, accepted: String) {
        let home = try ScriptHome()
        try home.makeFolder("tree/Scripts/lib/wording")
        for (path, text) in files {
            let file = home.url.appending(path: "tree/\(path)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let list = home.url.appending(path: "tree/Scripts/lib/wording/accepted.txt")
        try accepted?.write(to: list, atomically: true, encoding: .utf8)
        let result = try home.run("SYNTHHOST_WORDING_ROOT=$HOME/tree synthhost/Scripts/wording \(option)")
        return (
            result.status, result.output.split(separator: "\n").filter { !$0.hasPrefix("+") }.joined(separator: "\n"),
            (try? String(contentsOf: list, encoding: .utf8)) ?? ""
        )
    }

    private static func swift(_ literal: String) -> [String: String] {
        ["Sources/Room/File.swift": "let a = \(literal)\n"]
    }

    @Test("There are no findings in the messages of this checkout")
    func checkout() throws {
        let result = try ScriptHome().run("synthhost/Scripts/wording")
        #expect(result.status == 0, "\(result.output)")
    }

    @Test(
        "A wording on the list is found in every kind of literal, and a replacement is suggested",
        arguments: [
            #""The file is no number.""#, #""The file is " + "no number.""#, #""\(name) is no number.""#,
            ##""\(list.map { "“\($0)”" }.joined(separator: " or ")) is no number.""##,
            ##"#"The "file" is no number."#"##,
            "\"\"\"\n    The file\n    is no number.\n    \"\"\"",
        ])
    func literals(literal: String) throws {
        let result = try check(Self.swift(literal))
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("Sources/Room/File.swift:1: "), "\(result.output)")
        #expect(result.output.contains("is no number"))
        #expect(result.output.contains("better: is not a number"))
    }

    @Test(
        "Comments, code and single words are ignored",
        arguments: ["\"anew\"", "1 // A list that is made anew.", "\"/a/b\""])
    func passedOver(literal: String) throws {
        let result = try check(Self.swift(literal))
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test("A previously accepted message passes until it changes")
    func accepted() throws {
        let old = "The list is made anew.\n"
        #expect(try check(Self.swift("\"The list is made anew.\""), accepted: old).status == 0)
        let changed = try check(Self.swift("\"This list is made anew.\""), accepted: old)
        #expect(changed.status == 1)
        #expect(changed.output.contains("File.swift:1: This list is made anew."))
        #expect(changed.output.contains("Accepted, but it no longer exists: The list is made anew."))
    }

    @Test("--forget removes accepted messages that no longer exist but adds none")
    func forget() throws {
        let files = Self.swift("[\"The list is made anew.\", \"The book is whole.\"]")
        let result = try check(files, accepted: "The list is made anew.\nThe page is whole.\n", option: "--forget")
        #expect(result.status == 1)
        #expect(result.output.contains("File.swift:1: The book is whole."))
        #expect(result.accepted == "The list is made anew.\n")
    }

    @Test("German has its own rules, and script messages are checked")
    func others() throws {
        let result = try check([
            "Sources/SynthWeb/Page/text/de.json":
                "{\n  \"noVoice\": \"So heißt keine Stimme.\",\n  \"x\": \"is no x\"\n}\n",
            "Scripts/lib/install/installer.sh": "# Of nothing.\nfail \"There is no folder $1.\"\n",
        ])
        #expect(result.status == 1)
        #expect(result.output.contains("de.json:2: So heißt keine Stimme."))
        #expect(result.output.contains("installer.sh:2: There is no folder …."))
        #expect(
            result.output.hasSuffix(
                "2 messages break a rule. Reword them; do not add them to the list of accepted messages."))
    }

    @Test("--prose counts the findings in the comments and guides of the given files but does not fail")
    func prose() throws {
        let files = [
            "guide.md": "# A guide\n\nThe list is made anew.\n\n```\nmade anew and again\n```\nThe list is rebuilt.\n"
        ]
        let result = try check(files, option: "--prose tree/guide.md")
        #expect(result.status == 0)
        #expect(result.output.contains("guide.md:3: The list is made anew."))
        #expect(result.output.hasSuffix("1 of 3 lines break a rule: 333 in 1000"))
    }

    @Test("An unknown option is rejected")
    func usage() throws {
        #expect(try check([:], option: "--fix").status == 64)
    }
}
