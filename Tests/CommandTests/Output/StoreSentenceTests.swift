import SynthHost
import SynthModelStore
import SynthSystem
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Store messages")
struct StoreSentenceTests {
    private static func download(_ cause: FetchFailure, mirror: String? = nil) -> StoreError {
        .notDownloaded(DownloadFailure(file: "m.onnx", voice: "v", folder: "/s/v/1", mirror: mirror, cause))
    }

    private static func server(
        _ problem: ServerProblem, _ host: String = "a.example", mayPass: Bool = false
    ) -> ServerFailure {
        ServerFailure(url: "https://\(host)/m", host: host, problem, mayPass: mayPass)
    }

    private static func file(_ reason: Errno) -> StoreError {
        .file(FileFailure(reason, call: "open", path: "/s/a b"))
    }

    private static let program = "Reinstall synthhost: its synthhost-fetch program is damaged."

    @Test(
        "Each error states the problem and tells the user what to type",
        arguments: [
            (
                download(.servers([server(.status(404, .file))])),
                "m.onnx was not downloaded: the server returned 404 for https://a.example/m.",
                "Update synthhost, or choose a different voice: synthhost voices --all", ExitCode.unavailable
            ),
            (
                download(
                    .servers([
                        server(.status(403, .file)),
                        server(.status(503, .forNow(wait: 3600)), "b.example", mayPass: true),
                    ])),
                "m.onnx was not downloaded: the server returned 403 for https://a.example/m, and the server returned 503 and asked "
                    + "clients to wait 3600 s (b.example).",
                "Wait a moment or check the connection, then resume the download. Run: synthhost models pull v",
                .tryAgain
            ),
            (
                download(.servers([server(.webPage)]), mirror: "https://c.example"),
                "m.onnx was not downloaded: https://a.example/m returned a web page instead of the file.",
                "Check the mirror https://c.example, or unset SYNTHHOST_MIRROR to download without it.", .unavailable
            ),
            (
                download(.offline), "m.onnx was not downloaded: network access is turned off.",
                "Allow network access (unset SYNTHHOST_OFFLINE and omit --offline). Run: synthhost models pull v",
                .tryAgain
            ),
            (
                download(.mirror("http://c.example")),
                "m.onnx was not downloaded: the mirror \"http://c.example\" is not an HTTPS URL.",
                "Set SYNTHHOST_MIRROR to an HTTPS URL, or unset it.", .unavailable
            ),
            (
                download(.part(FileFailure(.noSpace, call: "write", path: "/p"), missing: 7)),
                "m.onnx was not downloaded: the disk is full, and 7 more bytes are needed.",
                "Free some space with `synthhost models prune`, then resume the download. Run: synthhost models pull v",
                .audioOrDisk
            ),
            (
                download(.part(FileFailure(.fileTooLarge, call: "write", path: "/p"), missing: 7)),
                "m.onnx was not downloaded: the file size limit has been reached, and 7 more bytes are needed.",
                "Raise the limit with `ulimit -f unlimited`, then resume the download. Run: synthhost models pull v",
                .audioOrDisk
            ),
            (
                download(.crashed(signal: 9)),
                "m.onnx was not downloaded: the download program, synthhost-fetch, crashed repeatedly (Killed).",
                "Try again with `synthhost models pull v`. "
                    + "If this happens again, please report this message with the output of `synthhost doctor`.",
                .tryAgain
            ),
            (
                download(.program(path: "/f", .notStarted(.notFound))),
                "m.onnx was not downloaded: /f could not be started: No such file or directory.", program,
                .audioOrDisk
            ),
            (
                file(.noSpace), "The disk is full: cannot write /s/a b.",
                "Free some space with `synthhost models prune`, then run the same command again.", .audioOrDisk
            ),
            (
                file(.noAccess), "You do not have permission to change /s/a b: Permission denied.",
                "Check the permissions: ls -ld \"/s/a b\"", .audioOrDisk
            ),
            (
                .noSpace(voice: "v", root: "/s", needed: 3_000_000, free: 1_000_000),
                "v needs 3.0 MB on the disk that contains /s, but only 1.0 MB is free; 2.0 MB more is needed.",
                "Free some space with `synthhost models prune`, then run the same command again.", .audioOrDisk
            ),
            (
                .notUnpacked(archive: "/a.zip", .damaged(detail: "odd"), isGiven: true),
                "/a.zip could not be unpacked: it is damaged or not an archive (odd).",
                "Unpack the archive and add the folder.",
                .unavailable
            ),
            (
                .notRead(path: "/a.zip", .died),
                "/a.zip could not be read: synthhost-fetch exited during the download.", program,
                .audioOrDisk
            ),
            (
                .busy(entry: "v", process: 12), "v is being changed by process 12.",
                "Wait until that process has finished, then run the same command again.", .tryAgain
            ),
        ])
    func sentences(_ error: StoreError, _ message: String, _ remedy: String, _ code: ExitCode) {
        let failure = CommandFailure(SpeechError(error))
        #expect(failure.message == message)
        #expect(failure.remedy == remedy)
        #expect(failure.code == code)
    }

    @Test("The message includes the voice's title and the command that resumes the download")
    func goingOn() {
        let error = Self.download(.offline)
        #expect(
            CommandFailure(SpeechError(error), pull: "synthhost setup").remedy
                == "Allow network access (unset SYNTHHOST_OFFLINE and omit --offline). Run: synthhost setup")
        let full = StoreError.noSpace(voice: "v", root: "/s", needed: 2_000_000, free: 1_000_000)
        #expect(full.message(ofDownloading: "Vera").hasPrefix("Vera needs 2.0 MB on"))
        #expect(
            error.message(ofDownloading: "Vera")
                == "Vera is not ready: m.onnx was not downloaded: network access is turned off.")
    }
}
