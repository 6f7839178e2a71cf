import CommandSupport
import Foundation
import Testing
import TestSupport

/// External input is stored in a temporary folder before it is read.
@Suite("A full temporary folder", .enabled(if: Namespace.works), .ownThreads)
struct FullTemporaryFolderTests {
    private static let full =
        "mount -t tmpfs -o size=20k none /mnt && head -c 100000 /dev/zero >/mnt/filling 2>/dev/null"

    @Test(
        "If the folder is too full for a recording from a pipe, the error says so",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs temporary files."))
    func transcribe() throws {
        let home = try UserHome()
        try home.install("Plugins/Scripted/scripted", as: "scripted")
        let result = try Namespace.run(
            "\(Self.full); head -c 100000 /dev/zero | TMPDIR=/mnt '\(home.programs)/synthhost' transcribe - "
                + "--recognizer scripted; echo $?", home)
        #expect(result.text == "74\n", "\(result)")
        #expect(
            result.errors.contains(
                "Cannot store the recording from standard input in /mnt: No space left on device."),
            "\(result.errors)")
        #expect(result.errors.contains("set TMPDIR to a different folder"), "\(result.errors)")
    }

    @Test(
        "If the folder is too full for an upload, the response says so",
        .disabled(if: Sanitizer.isThread, "ThreadSanitizer needs temporary files."))
    func upload() throws {
        let home = try UserHome()
        let script = """
            \(Self.full)
            TMPDIR=/mnt XDG_RUNTIME_DIR=$HOME '\(home.programs)/synthhost' serve --http 127.0.0.1:0 --drain 1 2>"$HOME/said" &
            for turn in $(seq 6000); do grep -q '#token=' "$HOME/said" && break; sleep 0.01; done
            exec bash -c '
                read -r port token <<<"$(sed -n "s|.*http://127.0.0.1:\\([0-9]*\\)/#token=\\([^ ]*\\).*|\\1 \\2|p" "$HOME/said" | head -1)"
                exec 3<>"/dev/tcp/127.0.0.1/$port"
                printf "POST /api/documents HTTP/1.1\\r\\nHost: 127.0.0.1:%s\\r\\nAuthorization: Bearer %s\\r\\nConnection: close\\r\\n" "$port" "$token" >&3
                printf "Content-Length: 60000\\r\\n\\r\\n" >&3
                head -c 60000 /dev/zero | tr "\\0" a >&3
                cat <&3
                kill $1; wait' sh $!
            """
        let result = try Namespace.run(script, home)
        #expect(result.text.hasPrefix("HTTP/1.1 507 "), "\(result)")
        #expect(
            result.text.contains("Cannot store the file on the computer that runs synthhost: No space left on device."))
        #expect(result.text.contains("\"not_kept\"") && !result.text.contains("synthhost-read"), "\(result.text)")
    }
}
