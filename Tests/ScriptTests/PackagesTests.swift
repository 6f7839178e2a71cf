import Foundation
import Testing
import TestSupport

@Suite("The packages that scripts install", .ownThreads) struct PackagesTests {
    /// A machine without any of the packages, whose `apt-get install` fails as often as said and notes its calls.
    private func machine(failures: Int) throws -> Workshop {
        let workshop = try Workshop()
        try workshop.run(
            """
            printf '#!/bin/sh\nexit 1\n' > .local/bin/dpkg-query
            printf '#!/bin/sh\necho 0\n' > .local/bin/id
            cat > .local/bin/apt-get <<'END'
            #!/bin/sh
            echo "$@" >> "$HOME/calls"
            [ "$1" = install ] || exit 0
            echo "what apt-get said"
            [ "$(grep -c ^install "$HOME/calls")" -gt \(failures) ]
            END
            chmod +x .local/bin/dpkg-query .local/bin/id .local/bin/apt-get
            """)
        return workshop
    }

    private let install = """
        root=/somewhere; package=mine; missing=mine
        . synthhost/Scripts/lib/packages.sh
        require_packages libone libtwo
        echo "$root $package $missing"
        """

    @Test("come without a word of apt-get's, and no variable of the script that asks for them changes")
    func quiet() throws {
        let workshop = try machine(failures: 0)
        defer { workshop.remove() }
        let result = try workshop.run("set +x\n" + install)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("Installing libone libtwo\n/somewhere mine mine\n"))
        #expect(!result.output.contains("what apt-get said"))
        let calls = try workshop.run("cat calls").output
        #expect(calls.contains("install -y -qq --no-install-recommends libone libtwo\n"))
        #expect(!calls.contains("update"))
    }

    @Test("come also on a machine that has no lists of packages yet")
    func lists() throws {
        let workshop = try machine(failures: 1)
        defer { workshop.remove() }
        #expect(try workshop.run(install).output.hasSuffix("/somewhere mine mine\n"))
        #expect(try workshop.run("cat calls").output.contains("update -qq\ninstall"))
    }

    @Test("where they cannot be had, what apt-get said is shown")
    func refused() throws {
        let workshop = try machine(failures: 9)
        defer { workshop.remove() }
        let result = try workshop.run(install)
        #expect(result.status == 1)
        #expect(result.output.contains("what apt-get said"))
        #expect(result.output.contains("could not be installed"))
    }
}
