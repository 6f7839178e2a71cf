import Foundation
import Testing
import TestSupport

@Suite("Packages that scripts install", .ownThreads) struct PackagesTests {
    /// A machine without the packages, whose `apt-get install` logs its calls and fails the given number of times.
    private func machine(failures: Int) throws -> ScriptHome {
        let home = try ScriptHome()
        try home.run(
            """
            printf '#!/bin/sh\nexit 1\n' > .local/bin/dpkg-query
            printf '#!/bin/sh\necho 0\n' > .local/bin/id
            cat > .local/bin/apt-get <<'END'
            #!/bin/sh
            echo "$@" >> "$HOME/calls"
            [ "$1" = install ] || exit 0
            echo "the messages of apt-get"
            [ "$(grep -c ^install "$HOME/calls")" -gt \(failures) ]
            END
            chmod +x .local/bin/dpkg-query .local/bin/id .local/bin/apt-get
            """)
        return home
    }

    private let install = """
        root=/somewhere; package=mine; missing=mine
        . synthhost/Scripts/lib/packages.sh
        require_packages libone libtwo
        echo "$root $package $missing"
        """

    @Test("Packages are installed without printing apt-get's output or changing the script's variables")
    func quiet() throws {
        let home = try machine(failures: 0)
        let result = try home.run("set +x\n" + install)
        #expect(result.status == 0)
        #expect(result.output.hasSuffix("Installing libone libtwo\n/somewhere mine mine\n"))
        #expect(!result.output.contains("the messages of apt-get"))
        let calls = try home.run("cat calls").output
        #expect(calls.contains("install -o DPkg::Lock::Timeout=1800 -y -qq --no-install-recommends libone libtwo\n"))
        #expect(!calls.contains("update"))
    }

    @Test("If the installation fails, the package lists are updated and the installation is retried")
    func lists() throws {
        let home = try machine(failures: 1)
        #expect(try home.run(install).output.hasSuffix("/somewhere mine mine\n"))
        #expect(try home.run("cat calls").output.contains("update -qq\ninstall"))
    }

    @Test("If the installation keeps failing, apt-get's output is shown")
    func refused() throws {
        let home = try machine(failures: 9)
        let result = try home.run(install)
        #expect(result.status == 1)
        #expect(result.output.contains("the messages of apt-get"))
        #expect(result.output.contains("could not be installed"))
    }
}
