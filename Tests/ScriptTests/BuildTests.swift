import Foundation
import Testing
import TestSupport

@Suite("Building from the checkout", .ownThreads) struct BuildTests {
    /// A checkout whose `swift build` runs `steps`, on a machine with all packages except ONNX Runtime.
    private func machine(_ steps: String) throws -> ScriptHome {
        let home = try ScriptHome()
        try home.run(
            """
            mkdir -p checkout/Sources checkout/Plugins checkout/.build/release
            touch checkout/Package.swift
            cp -r synthhost/Scripts checkout/
            printf '#!/bin/sh\necho "onnxruntime: there is none. Type: this" >&2\nexit 1\n' > checkout/Scripts/onnxruntime
            printf '#!/bin/sh\necho installed\n' > .local/bin/dpkg-query
            printf '#!/bin/sh\nexit 0\n' > .local/bin/apt-cache
            printf '#!/bin/sh\nexit 1\n' > .local/bin/pkg-config
            printf '#!/bin/sh\nexit 0\n' > .local/bin/python3
            cat > .local/bin/swift <<'END'
            #!/bin/sh
            [ "$1" != -print-target-info ] || exit 0
            \(steps)
            END
            chmod +x .local/bin/* checkout/Scripts/onnxruntime
            """)
        return home
    }

    @Test("Progress is shown without compiler output, and missing packages are listed at the end")
    func progress() throws {
        // The build waits until the count is shown and fails if that never happens.
        let home = try machine(
            """
            echo "[41/77] Compiling noise"
            for turn in $(seq 300); do
                if grep -q "Building synthhost: 41 of 77" "$HOME/said"; then
                    printf '#!/bin/sh\necho "the program ran"\n' > "$HOME/checkout/.build/release/synthhost"
                    chmod +x "$HOME/checkout/.build/release/synthhost"
                    exit 0
                fi
                sleep 0.1
            done
            exit 1
            """)
        let result = try home.run("checkout/Scripts/synthhost voices 2> said; echo; cat said")
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("the program ran"))
        #expect(!result.output.contains("noise"))
        let said = try home.run("cat said").output.components(separatedBy: "\n").dropFirst()
        #expect(said.filter { $0.contains("there is none. Type: this") }.count == 2, "\(said)")
        #expect(said.suffix(3).first?.hasPrefix("Built without the neural engines") == true, "\(said)")
        let again = try home.run("checkout/Scripts/synthhost voices 2>&1 >/dev/null")
        #expect(!again.output.contains("Building"))
    }

    @Test("The first sentence waits only for the components that speak it; other commands wait for all components")
    func firstSentence() throws {
        let home = try machine(
            """
            echo "${SYNTHHOST_FIRST-everything}" >> "$HOME/built"
            printf '#!/bin/sh\necho "spoke: $*"\n' > "$HOME/checkout/.build/release/synthhost"
            chmod +x "$HOME/checkout/.build/release/synthhost"
            """)
        func built(by command: String, after change: String = ":") throws -> [Substring] {
            let steps = "rm -f built; touch built; \(change); checkout/Scripts/synthhost \(command) 2> said > spoken"
            let result = try home.run(steps)
            #expect(result.status == 0, "\(result.output)")
            #expect(try home.run("cat spoken").output.contains("spoke: \(command.prefix(5))"))
            return try home.run("cat built").output.split(separator: "\n").filter { !$0.hasPrefix("+ ") }
        }
        #expect(try built(by: "speak Hello") == ["quick"])
        let said = try home.run("cat said").output
        #expect(said.contains("The neural engines and the downloader are built on first use"), "\(said)")
        #expect(try built(by: "speak Hello") == [])
        #expect(try built(by: "speak Hello", after: "sleep 0.01; touch checkout/Package.swift") == ["quick"])
        for command in ["speak -v Heart Hello", "voices", "speak --tokens Hello"] {
            #expect(
                try built(by: command, after: "rm -f checkout/.build/release.stamp") == ["everything"], "\(command)")
        }
        #expect(try built(by: "speak Hello") == [])
        let chosen = "mkdir -p .config/synthhost; rm checkout/.build/release.stamp"
        #expect(try built(by: "speak Hello", after: chosen) == ["everything"])
        // In a checkout where tests are run, the quick build is skipped, so that nothing is compiled twice.
        let tested = "rm -r .config; rm checkout/.build/release.*stamp; touch checkout/.build/for-tests"
        #expect(try built(by: "speak Hello", after: tested) == ["final"])
    }

    @Test("Only a checkout in which tests are run is built with access to internal code")
    func forTests() throws {
        let home = try machine(
            """
            echo "$@" > "$HOME/asked"
            printf '#!/bin/sh\n' > "$HOME/checkout/.build/release/synthhost"
            chmod +x "$HOME/checkout/.build/release/synthhost"
            """)
        func asked(by command: String) throws -> String {
            let result = try home.run("rm -f checkout/.build/release.stamp; \(command) voices 2> said; cat asked")
            #expect(result.status == 0, "\(result.output)")
            return result.output.split(separator: "\n").last.map(String.init) ?? ""
        }
        let plain = try asked(by: "checkout/Scripts/synthhost")
        #expect(plain.hasPrefix("build --package-path ") && plain.contains(" -c release "), "\(plain)")
        let marked = try asked(by: "touch checkout/.build/for-tests; checkout/Scripts/synthhost")
        // These options remove unused code. They are omitted from a build for tests, because tests call code that
        // nothing else calls.
        let removing =
            " -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link"
        #expect(plain.hasSuffix(removing))
        #expect(
            marked
                == "\(plain.dropLast(removing.count)) -Xswiftc -enable-testing -Xswiftc -warnings-as-errors -Xcc -Werror"
        )
        #expect(try asked(by: "SYNTHHOST_PACKED=yes checkout/Scripts/synthhost") == plain)
    }

    @Test("If the build fails, the errors and the path of the log are printed")
    func failedBuild() throws {
        let home = try machine("echo '[3/77] Compiling'; echo 'a.swift:1:1: error: wrong'; exit 1")
        let result = try home.run("checkout/Scripts/synthhost speak")
        #expect(result.status == 1)
        #expect(result.output.contains("a.swift:1:1: error: wrong\nThe build failed; "))
        #expect(result.output.contains("/release.log has the details.\n"))
        #expect(!result.output.contains("Built without"))
    }

    @Test(
        "Tests are not run if an option is unknown", arguments: ["--otherz", "--filter Layers --nope", "-x"])
    func unknownOption(arguments: String) throws {
        let result = try ScriptHome().run("synthhost/Scripts/test \(arguments)")
        let unknown = arguments.split(separator: " ").last ?? ""
        #expect(result.status == 64 && result.output.contains("\nScripts/test: unknown argument \(unknown)."))
    }

    @Test("If the tests have not been built, the error explains how to build them", arguments: ["--alone", "--others"])
    func nothingBuilt(part: String) throws {
        let result = try machine("exit 1").run("checkout/Scripts/test --second-try \(part)")
        #expect(result.status == 66 && result.output.contains("Type: Scripts/test --build\n"), "\(result.output)")
    }
}
