import Glibc
import System

/// ffmpeg, which makes an M4B, with its chapters and its cover, of a FLAC that has them.
struct AudiobookConverter {
    /// The path of ffmpeg.
    let program: String
    /// From 0 to 10.
    let quality: Int

    /// How often it is looked whether the result is still wanted.
    private static let glance = Duration.milliseconds(200)
    /// Of what it says that is wrong.
    private static let mostWords = 4000

    /// Blocks.
    ///
    /// - Parameters:
    ///   - source: a FLAC.
    ///   - path: where the M4B is made; what is there is replaced.
    ///   - log: a file for what it says.
    /// - Returns: false = it was cancelled.
    func convert(
        _ source: String, to path: String, log: String, _ isCancelled: () -> Bool
    ) throws(BookFailure) -> Bool {
        // 32 kb/s for 0, 64 for 5, 128 for 10: what speech of one channel needs.
        let rate = [32, 40, 44, 48, 56, 64, 72, 80, 96, 112, 128][max(0, min(10, quality))]
        let words = [
            "-nostdin", "-v", "error", "-y", "-i", absolutePath(source), "-map", "0", "-map_metadata", "0", "-c:a",
            "aac",
            "-b:a", "\(rate)k", "-c:v", "copy", "-disposition:v", "attached_pic", "-movflags", "+faststart", "-f",
            "ipod",
            absolutePath(path),
        ]
        var running: RunningProgram
        // One that outlived its synthhost may still write there.
        for file in [path, log] { unlink(file) }
        do {
            let said = try Descriptor.open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
            var spawn = Spawn()
            spawn.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
            try spawn.pass(said.raw, as: STDOUT_FILENO)
            try spawn.pass(said.raw, as: STDERR_FILENO)
            running = try RunningProgram(try spawn.start(program, arguments: words.map { Array($0.utf8) }))
        } catch {
            throw .converter(reason: "it did not start: \(error).")
        }
        var ending = running.wait(within: Self.glance)
        while ending == nil {
            if isCancelled() { return false }
            ending = running.wait(within: Self.glance)
        }
        if ending?.isGood == true { return true }
        let said = (try? readWholeFile(log, limit: 1 << 20)) ?? []
        let reason = String(decoding: said.prefix(Self.mostWords), as: UTF8.self).split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        throw .converter(reason: reason.isEmpty ? "it ended with \(ending?.code ?? 0)." : reason)
    }
}
