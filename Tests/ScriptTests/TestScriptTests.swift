import Foundation
import Testing

@Suite("Scripts/test") struct TestScriptTests {
    /// In the process of all others they would cost a processor: the script says why.
    @Test("runs suites with tests that end a process apart from the others")
    func exits() throws {
        let tests = ScriptHome.checkout.appending(path: "Tests").path
        let script = try String(
            contentsOf: ScriptHome.checkout.appending(path: "Scripts/test"), encoding: .utf8)
        let list = try #require(script.split(separator: "\n").first { $0.hasPrefix("exits=") })
        var found = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: tests) where file.hasSuffix("Tests.swift") {
            let source = try String(contentsOfFile: "\(tests)/\(file)", encoding: .utf8)
            guard source.contains("#expect(processExitsWith" + ":") else { continue }
            let suite = try #require(file.split(separator: "/").last?.dropLast(".swift".count))
            #expect(list.contains(suite), "\(file)")
            found += 1
        }
        #expect(found > 0)
    }
}
