import Foundation
import Testing
import TestSupport

@Suite("The archive's installer", .ownThreads) struct InstallerTests {
    /// A home folder with an archive unpacked into `package`, and an installation in `prefix`.
    private func home() throws -> ScriptHome {
        let home = try ScriptHome()
        try home.run(
            """
            mkdir -p package/lib/synthhost package/share/synthhost package/bin
            { cat synthhost/Scripts/lib/install/installer.sh; printf '\\nmain "$@"\\n'; } > package/share/synthhost/install
            chmod +x package/share/synthhost/install
            ln -s share/synthhost/install package/install
            echo program > package/bin/synthhost
            printf 'bin/synthhost\\nlib/synthhost/manifest\\n' > package/lib/synthhost/manifest
            cp -R package prefix
            rm prefix/install
            echo mine > prefix/bin/mine
            """)
        return home
    }

    @Test(
        "An unsuitable folder is rejected, and nothing is removed from it",
        arguments: [
            ("\"\"", "PREFIX is empty"), ("/", "the root of the file system"), ("//", "the root of the file system"),
            (".", "the folder from which synthhost is installed"),
            ("\"$PWD\"", "the folder from which synthhost is installed"),
            ("../package/share/..", "the folder from which synthhost is installed"),
            ("\"$(printf 'a\\nb')\"", "PREFIX contains a line break"),
        ])
    func refused(prefix: String, reason: String) throws {
        let home = try home()
        for action in ["", "--uninstall ", "--speech-dispatcher "] {
            let result = try home.run("cd package; ./install \(action)\(prefix)")
            #expect(result.status == 1 && result.output.contains(reason), "\(result.output)")
            #expect(result.output.contains("./install ~/.local") || result.output.contains("./install /usr/local"))
        }
        #expect(home.size(of: "package/bin/synthhost") > 0 && home.size(of: "package/lib/synthhost/manifest") > 0)
    }

    @Test("Both the archive's installer and the installed copy can remove an installation, and they keep other files")
    func removed() throws {
        for command in ["package/install --uninstall prefix", "prefix/share/synthhost/install --uninstall"] {
            let home = try home()
            let result = try home.run(command)
            #expect(result.status == 0 && result.output.contains("Removed synthhost from"), "\(result.output)")
            #expect(home.size(of: "prefix/bin/synthhost") == 0 && home.size(of: "prefix/bin/mine") > 0)
            #expect(home.size(of: "package/bin/synthhost") > 0)
        }
    }
}
