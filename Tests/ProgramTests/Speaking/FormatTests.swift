import CommandSupport
import Foundation
import Testing
import TestSupport

@Suite("Audio files in other formats", .ownThreads)
struct FormatTests {
    private static let formats = ["flac", "mp3", "opus", "ogg"]
    private static let long = String(repeating: "A long text that takes its time to be said. ", count: 400)
    private let home: UserHome

    init() throws { home = try UserHome() }

    private func speak(_ words: String...) throws -> ChildResult {
        try home.run(["speak", "-e", "tone", "Hello, world. And another sentence."] + words)
    }

    @Test("The extension selects the format, and the duration matches that of the WAV file", arguments: formats)
    func endings(format: String) throws {
        #expect(try speak("-o", home.file("a.wav")).code == 0)
        let wav = try home.wav("a.wav")
        let result = try speak("-o", home.file("a.\(format)"), "--title", "Grüße", "--author", "Ölga")
        #expect(result.code == 0)
        #expect(result.errors.hasPrefix("Wrote \(home.file("a.\(format)")): "))
        let decoded = try DecodedSound(path: home.file("a.\(format)"))
        let label = try decoded.label()
        #expect(label.codec == (format == "ogg" ? "vorbis" : format))
        #expect(abs(decoded.seconds - wav.seconds) <= 0.03, "\(decoded.seconds) \(wav.seconds)")
        #expect(label.tags["title"] == "Grüße" && label.tags["artist"] == "Ölga")
        if format == "flac" { #expect(decoded.samples == wav.samples) }
    }

    @Test("An option selects the format for a pipe and for a name without an extension", arguments: formats + ["wav"])
    func option(format: String) throws {
        let piped = try speak("-o", "-", "--format", format)
        #expect(piped.code == 0 && piped.errors == "")
        try home.write(piped.output, to: "piped")
        #expect(try speak("-o", home.file("named"), "--format", format.uppercased()).code == 0)
        let named = try DecodedSound(path: home.file("named"))
        let fromPipe = try DecodedSound(path: home.file("piped"))
        let codec = try named.label().codec
        #expect(try codec == fromPipe.label().codec && codec != "" && named.seconds > 1)
        #expect(abs(named.seconds - fromPipe.seconds) < (format == "mp3" ? 0.12 : 0.03))
    }

    @Test("Lower quality yields a smaller file")
    func quality() throws {
        for quality in ["0", "10"] {
            #expect(try speak("-o", home.file("\(quality).opus"), "--quality", quality).code == 0)
        }
        #expect(try home.data("0.opus").count * 3 < home.data("10.opus").count)
        let wrong = try speak("-o", home.file("x.opus"), "--quality", "11")
        #expect(wrong.code == 64 && wrong.errors.contains("must be an integer from 0 to 10, not \"11\""))
    }

    @Test(
        "A mismatch between file name and format is rejected before anything is spoken",
        arguments: [
            (
                ["-o", "a.wav", "--format", "flac"],
                "\"a.wav\" has the extension of a WAV file, but the requested format is FLAC."
            ),
            (["-o", "a.xyz"], "Cannot write \"a.xyz\": its file extension is not supported."),
            (["-o", "a", "--format", "aiff"], "must be wav, flac, mp3, opus or ogg, not \"aiff\""),
            (["-o", "a.m4a", "--format", "mp3"], "a.m4a has the extension of AAC"),
            (["--format", "mp3"], "--format needs --output."),
            (["--raw", "--format", "mp3"], "--raw and --format cannot be used together."),
            (["--raw", "-o", "a", "--title", "x"], "--raw and --title cannot be used together."),
            (["--quality", "3"], "--quality needs --output."),
            (["-o", "a.mp3", "--title", String(repeating: "x", count: 20_000)], "The title is 20000 bytes long"),
        ])
    func mistakes(words: [String], message: String) throws {
        let result = try home.run(["speak", "-e", "tone", "Hi"] + words)
        #expect(result.code == 64)
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: words.last ?? ""))
    }

    @Test("Disk and folder errors are reported", arguments: formats)
    func trouble(format: String) throws {
        let full = try speak("-o", "/dev/full", "--format", format)
        #expect(full.code == 74 && full.errors.contains("The disk is full: cannot write \"/dev/full\"."))
        let missing = try speak("-o", home.file("none/a.\(format)"))
        #expect(missing.code == 73 && missing.errors.contains("does not exist"))
        let folder = try speak("-o", home.path, "--format", format)
        #expect(folder.code == 73 && folder.errors.contains("is a folder, not a file"))
    }

    @Test(
        "After a signal, the spoken part is kept next to the existing file, which is unchanged", arguments: formats)
    func interruption(format: String) throws {
        try home.install("reed")
        let file = home.file("x.\(format)")
        try home.write("precious", to: "x.\(format)")
        let process = try home.start(["speak", "-v", "Slow", "-o", file, "--json", Self.long])
        // Progress is reported after the first audio has been written.
        try process.waitForErrors("\"fraction\"")
        #expect(try home.data("x.\(format)").count == 8)
        process.signal(SIGINT)
        #expect(try process.finish(within: .seconds(300)).code == 130)
        #expect(try home.data("x.\(format)") == Data("precious".utf8))
        #expect(try !DecodedSound(path: home.file("x (stopped).\(format)")).samples.isEmpty)
    }

    @Test("A killed process leaves no unfinished file behind", arguments: formats)
    func killed(format: String) throws {
        try home.install("reed")
        try home.write("precious", to: "folder/old.\(format)")
        for name in ["old", "new"] {
            let process = try home.start(
                ["speak", "-v", "Slow", "-o", home.file("folder/\(name).\(format)"), "--json", Self.long])
            try process.waitForErrors("\"fraction\"")
            process.signal(SIGKILL)
            #expect(try process.finish().signal == SIGKILL)
        }
        #expect(try home.data("folder/old.\(format)") == Data("precious".utf8))
        #expect(!home.exists("folder/new.\(format)"))
    }

    @Test("No error is reported if the program that reads the pipe closes it", arguments: formats)
    func brokenPipe(format: String) throws {
        let process = try home.start(["speak", "-e", "tone", "-o", "-", "--format", format, Self.long])
        try process.waitForOutput(count: 1000)
        process.closeOutput()
        let result = try process.finish(within: .seconds(300))
        #expect(result.code == 0 || result.signal == SIGPIPE)
        #expect(result.errors == "")
    }

    @Test("The JSON result includes the format")
    func json() throws {
        let result = try speak("-o", home.file("a.oga"), "--json")
        #expect(result.text.contains("\"format\":\"ogg\""), "\(result.text)")
    }

    @Test(
        "If the disk becomes full, the file contains all the audio that fits", .enabled(if: Namespace.works),
        arguments: formats)
    func fullDisk(format: String) throws {
        let result = try Namespace.run(
            """
            mount -t tmpfs -o size=60k none /mnt && \
            yes "A long text for a small disk." | head -60 | \
            '\(home.programs)/synthhost' speak -e tone -o /mnt/a.\(format); echo $?; \
            ls -A /mnt; cp '/mnt/a (stopped).\(format)' '\(home.path)'
            """, home)
        #expect(result.text == "74\na (stopped).\(format)\n")
        let words =
            "The disk is full: cannot write \"/mnt/a.\(format)\"; /mnt/a (stopped).\(format) contains the audio so far."
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(try DecodedSound(path: home.file("a (stopped).\(format)"), isCut: true).seconds > 0.5)
    }

    @Test("If the disk is full, an existing file is unchanged", .enabled(if: Namespace.works), arguments: formats)
    func goodFile(format: String) throws {
        let result = try Namespace.run(
            """
            mount -t tmpfs -o size=60k none /mnt && echo precious > /mnt/a.\(format) && \
            yes "A long text for a small disk." | head -60 | \
            '\(home.programs)/synthhost' speak -e tone -o /mnt/a.\(format); echo $?; \
            ls -A /mnt; cat /mnt/a.\(format)
            """, home)
        #expect(result.text == "74\na.\(format)\nprecious\n")
        #expect(result.errors.contains("/mnt/a.\(format) is unchanged."), "\(result.errors)")
    }

    @Test(
        "An existing file is replaced even on systems without O_TMPFILE", .enabled(if: Namespace.works),
        .disabled(if: Sanitizer.isAddress, "AddressSanitizer needs /proc."))
    func namedMeanwhile() throws {
        try home.write("precious", to: "folder/a.flac")
        try home.write("of a process that is gone", to: "folder/.a.flac.synthhost-0.part")
        let result = try Namespace.run(
            """
            \(Namespace.withoutProc) && \
            '\(home.programs)/synthhost' speak -e tone Hello -o '\(home.file("folder/a.flac"))'
            """, home)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file("folder")) == ["a.flac"])
        #expect(try DecodedSound(path: home.file("folder/a.flac")).seconds > 0.3)
    }

    @Test("Starting the program does not load the encoding libraries")
    func start() throws {
        let libraries = try ChildProcess.run("/usr/bin/env", ["ldd", "\(home.programs)/synthhost"])
        #expect(libraries.code == 0 && libraries.text.contains("libsamplerate"))
        for name in ["libsndfile", "libFLAC", "libopus", "libvorbis", "libmp3lame"] {
            #expect(!libraries.text.contains(name))
        }
    }
}
