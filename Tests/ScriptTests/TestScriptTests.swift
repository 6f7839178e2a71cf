import Foundation
import Testing

@Suite("The test script") struct TestScriptTests {
    /// If these suites ran in the same process as the other tests, they would keep a processor busy, as `Scripts/test`
    /// explains.
    @Test("Suites that contain tests that terminate a process are run separately")
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

    /// Runs the test script with a test program that reports `failed` failures and exits with `status` when run again.
    private func secondTry(failed: Int, endsWith status: Int) throws -> (status: Int32, output: String) {
        let home = try ScriptHome()
        let cases = (0..<failed).map {
            "<testcase classname='Rooms.Outer.Inner' name='test(\($0):)'><failure message='No.'/></testcase>"
        }
        let program = """
            #!/bin/sh
            echo "called with $*"
            if [ -e second ]; then echo "✔ Test run with 1 test"; exit \(status); fi
            : >second
            echo "<testsuites><testcase classname='Rooms.Good' name='a()'/>\(cases.joined())</testsuites>" \
                >results.xml
            echo "✘ Test run with 9 tests"
            exit 1
            """
        try program.write(to: home.url.appending(path: "tests"), atomically: true, encoding: .utf8)
        return try home.run(
            """
            chmod 755 tests
            python3 synthhost/Scripts/lib/tests.py --built ./tests --second-try results.xml --filter A --skip B
            """)
    }

    @Test("If only a few tests fail, they are listed and rerun separately", arguments: [0, 1])
    func secondTry(status: Int) throws {
        let result = try secondTry(failed: 2, endsWith: status)
        #expect(result.status == status)
        let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("+") }
        let names = ["Rooms.Outer.Inner/test(0:)", "Rooms.Outer.Inner/test(1:)"]
        let filters = #"--filter ^Rooms\.Outer[./]Inner/test\(0:\) --filter ^Rooms\.Outer[./]Inner/test\(1:\)"#
        #expect(
            lines.map(String.init) == [
                "called with --testing-library swift-testing --filter A --skip B --xunit-output results.xml",
                "✘ Test run with 9 tests", "Repeated alone:", names[0], names[1],
                "called with --testing-library swift-testing --no-parallel \(filters)",
                "These tests failed when they ran with the others:", names[0], names[1], "✔ Test run with 1 test",
            ])
    }

    @Test("No tests are rerun if none failed or if too many did", arguments: [0, 4])
    func noSecondTry(failed: Int) throws {
        let result = try secondTry(failed: failed, endsWith: 0)
        #expect(result.status == 1)
        #expect(!result.output.contains("Repeated alone"))
    }
}
