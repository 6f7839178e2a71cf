import Glibc
package import SynthSystem

/// Uses ffmpeg to decode files that libsndfile cannot read. `synthhost-read` runs ffmpeg confined (`ConfinedProgram`).
package struct MediaProgram: Sendable {
    private let path: String
    private let environment: [String: String]?
    private let starter: ProgramStarter?
    /// How long the program may produce no output before it is considered hung.
    private let silence: Duration

    /// - Parameters:
    ///   - path: the path of `synthhost-read`.
    ///   - environment: the program's environment variables, including the `PATH` that is searched for ffmpeg, or nil
    ///     to inherit the variables of this process.
    ///   - silence: how long the program may produce no output before it is considered hung. Time spent waiting for a
    ///     processor or the disk does not count.
    ///   - starter: starts the program, or nil to start it from this process.
    package init(
        path: String, environment: [String: String]? = nil, silence: Duration = .seconds(30),
        by starter: ProgramStarter? = nil
    ) {
        self.silence = silence
        self.path = path
        self.environment = environment
        self.starter = starter
    }

    /// The path of ffmpeg, or nil if ffmpeg or ffprobe is not installed.
    package var decoder: String? {
        let variables = environment ?? ProcessEnvironment().variables
        func find(_ program: ConfinedProgram) -> String? { ProcessEnvironment.program(program.name, in: variables) }
        return find(.mediaFacts) == nil ? nil : find(.mediaSound(stream: 0, rate: 0, channels: 0))
    }

    /// - Parameters:
    ///   - input: the file, which is read from the beginning, regardless of its current position.
    ///   - errors: receives the error messages, or nil to discard them.
    fileprivate func start(
        _ program: ConfinedProgram, _ input: Descriptor, _ output: Descriptor, errors: Descriptor?
    ) throws(Errno) -> RunningMedia {
        var spawn = Spawn(group: .own)
        try spawn.pass(input.raw, as: STDIN_FILENO)
        try spawn.pass(output.raw, as: STDOUT_FILENO)
        if let errors {
            try spawn.pass(errors.raw, as: STDERR_FILENO)
        } else {
            try spawn.open("/dev/null", O_WRONLY, as: STDERR_FILENO)
        }
        spawn.work(in: "/")
        let process = try spawn.start(
            path, arguments: program.words.map { Array($0.utf8) }, environment: environment, by: starter)
        return RunningMedia(try RunningProgram(process), ProcessClock(of: process), silence)
    }
}

/// A decoding process, which is terminated when this value is destroyed.
private struct RunningMedia: ~Copyable {
    var program: RunningProgram
    private var clock: ProcessClock
    private var still = Duration.zero

    private let silence: Duration
    private static let pollInterval = Duration.milliseconds(100)

    init(_ program: consuming RunningProgram, _ clock: ProcessClock, _ silence: Duration) {
        self.program = program
        self.clock = clock
        self.silence = silence
    }

    /// Reads until the buffer is full or the output ends.
    ///
    /// - Returns: the number of bytes, or nil if the program hangs.
    mutating func read(_ output: Descriptor, into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        var count = 0
        while count < buffer.count {
            guard still < silence,
                let ready = try? Poll.wait([(output.raw, events: POLLIN)], timeout: Self.pollInterval)
            else { return nil }
            if ready[0] == 0 {
                still += clock.elapsed()
                continue
            }
            guard let more = try? output.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])), more > 0
            else { break }
            count += more
            if still > .zero { (_, still) = (clock.elapsed(), .zero) }
        }
        return count
    }

    /// Waits up to five seconds for the program to exit, then kills it. Returns its exit status.
    mutating func ending() -> RunningProgram.Ending { program.end(after: .seconds(5)) }
}

/// Decodes the audio of a recording or video with ffmpeg. Decoding is deterministic. Not thread-safe.
///
/// Damaged and missing parts are replaced with silence so that later audio keeps its timing. If a file is
/// truncated or damaged in many places, `read` returns all available audio and then throws an error.
final class MediaDecoder: SoundDecoder {
    let format: AudioFormat
    let statedFrames: Int?
    let tracks: Int
    private let file: Descriptor
    private let path: String
    private let program: MediaProgram
    private let stream: Int
    /// The number of frames according to the file's header, or nil if it is unknown or may refer to the video track.
    private let promisedFrames: Int?
    private var frames = 0
    private var running: RunningMedia?
    private var output: Descriptor?
    private var errors: Descriptor?

    /// Reads the list of tracks. Does not decode yet.
    ///
    /// - Parameters:
    ///   - file: the file and its duplicates must not be used by other threads.
    ///   - path: the path for error messages.
    /// - Throws: `clipUnusable` with `notOpened`, `converterMissing`, `unknownFormat`, `withoutSound`, `formatUnusable` or
    ///   `undecodable`.
    init(_ file: Descriptor, path: String, by program: MediaProgram) throws(AudioError) {
        (self.file, self.path, self.program) = (file, path, program)
        let facts = try Self.facts(of: file, path, program)
        guard let track = facts.tracks.first(where: \.isDefault) ?? facts.tracks.first else {
            throw AudioError.clip(path, .withoutSound)
        }
        format = AudioFormat(sampleRate: track.rate, channels: track.channels)
        guard format.isUsable else { throw AudioError.clip(path, .formatUnusable(format)) }
        stream = track.stream
        tracks = facts.tracks.count
        let rate = Double(track.rate)
        statedFrames = facts.seconds.flatMap { $0 * rate < 1e15 ? Int($0 * rate) : nil }
        promisedFrames = facts.hasPictures ? nil : statedFrames
    }

    func read(frames most: Int) throws(AudioError) -> [Float] {
        if output == nil { try start() }
        guard let output else { return [] }
        var hangs = false
        let samples = [Float](unsafeUninitializedCapacity: most * format.channels) { buffer, count in
            let bytes = running?.read(output, into: UnsafeMutableRawBufferPointer(buffer))
            hangs = bytes == nil
            let frame = MemoryLayout<Float>.size * format.channels
            count = (bytes ?? 0) / frame * format.channels
        }
        if hangs { throw failure(.undecodable) }
        if let invalid = FloatPCM.firstInvalid(in: samples[...]) {
            throw failure(.notFinite(frame: frames + invalid / format.channels))
        }
        frames += samples.count / format.channels
        if samples.isEmpty { try checkEnd() }
        return samples
    }

    private func start() throws(AudioError) {
        do {
            let (pipe, log) = (try Descriptor.pipe(), try Descriptor.pipe())
            // Drop messages that do not fit into the pipe so that the program never blocks.
            try Errno.check { fcntl(log.writing.raw, F_SETFL, O_NONBLOCK) }
            try Errno.check { fcntl(log.reading.raw, F_SETFL, O_NONBLOCK) }
            let sound = ConfinedProgram.mediaSound(
                stream: stream, rate: format.sampleRate, channels: format.channels)
            running = try program.start(sound, file, pipe.writing, errors: log.writing)
            (output, errors) = (pipe.reading, log.reading)
        } catch {
            throw AudioError.clip(path, .notOpened(error))
        }
    }

    private func failure(_ reason: ClipFlaw.Reason) -> AudioError {
        running = nil
        return AudioError.clip(path, reason)
    }

    private func checkEnd() throws(AudioError) {
        guard let ending = running?.ending() else { return }
        running = nil
        guard ending.code != ConfinedProgram.missing else { throw AudioError.clip(path, .converterMissing) }
        let log = MediaLog(errors)
        let promised = Double(promisedFrames ?? 0) * 0.98 - Double(format.sampleRate)
        if log.isCut || Double(frames) < promised { throw AudioError.clip(path, .cutShort(frame: frames)) }
        guard ending.isGood else {
            let reason =
                ending.signal == 0 ? "ffmpeg cannot decode it" : "ffmpeg was killed by \(signalName(ending.signal))"
            throw AudioError.clip(path, .damaged(reason, frame: frames))
        }
        guard log.isSuccess, frames > 0 else {
            throw AudioError.clip(path, .damaged("ffmpeg could not decode all of it", frame: frames))
        }
    }
}

/// ffmpeg's messages about a file. They are always in English.
private struct MediaLog {
    private let text: String
    /// A file with more errors than this is considered damaged. Decoders often report errors for a few incomplete
    /// packets at the start and end of a stream.
    private static let maximumFaults = 10

    init(_ errors: Descriptor?) {
        text = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            let count = (try? errors?.read(into: buffer)) ?? 0
            return String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }

    var isCut: Bool { text.contains("ended prematurely") || text.contains(": partial file") }

    var isSuccess: Bool {
        // The gap is too long to fill with silence.
        if text.contains("Failed to compensate") { return false }
        return text.split(separator: "\n").count { $0.contains("rror") && $0.contains("decod") } <= Self.maximumFaults
    }
}

extension MediaDecoder {
    private struct Track {
        let stream: Int
        let rate: Int
        let channels: Int
        let isDefault: Bool
    }

    private struct Facts {
        var tracks: [Track] = []
        var hasPictures = false
        /// The duration according to the file's metadata, or nil if it is unknown.
        var seconds: Double?

        /// Formats without a header, for which ffprobe can only estimate the length from the beginning of the file.
        private static let guessed: Set<Substring> = [
            "aac", "ac3", "dts", "dtshd", "eac3", "loas", "mlp", "mp3", "sbc", "truehd",
        ]

        /// - Parameter text: lines such as `stream|index=1|codec_type=audio|sample_rate=48000|channels=2|disposition:default=1` and
        ///   `format|format_name=wav|duration=62.5`.
        init(_ text: String) {
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: "|")
                func value(_ name: String) -> Substring? {
                    fields.first { $0.hasPrefix("\(name)=") }.map { $0.dropFirst(name.utf8.count + 1) }
                }
                switch fields.first {
                case "format":
                    guard let name = value("format_name"), !Self.guessed.contains(name) else { continue }
                    seconds = value("duration").flatMap { Double(String($0)) }.flatMap { $0 > 0 ? $0 : nil }
                case "stream" where value("codec_type") == "audio":
                    guard let stream = value("index").flatMap({ Int($0) }),
                        let rate = value("sample_rate").flatMap({ Int($0) }),
                        let channels = value("channels").flatMap({ Int($0) })
                    else { continue }
                    tracks.append(
                        Track(
                            stream: stream, rate: rate, channels: channels,
                            isDefault: value("disposition:default") == "1"))
                case "stream" where value("codec_type") == "video": hasPictures = true
                default: break
                }
            }
        }
    }

    private static func facts(of file: Descriptor, _ path: String, _ program: MediaProgram) throws(AudioError) -> Facts
    {
        var running: RunningMedia
        let output: Descriptor
        do {
            let pipe = try Descriptor.pipe()
            running = try program.start(.mediaFacts, file, pipe.writing, errors: nil)
            output = pipe.reading
        } catch {
            throw AudioError.clip(path, .notOpened(error))
        }
        var text = ""
        let count = withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 1) { buffer -> Int? in
            guard let count = running.read(output, into: buffer) else { return nil }
            text = String(decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
            return count
        }
        guard count != nil else { throw AudioError.clip(path, .undecodable) }
        let ending = running.ending()
        if ending.code == ConfinedProgram.missing { throw AudioError.clip(path, .converterMissing) }
        guard ending.signal == 0 else { throw AudioError.clip(path, .undecodable) }
        guard ending.isGood else { throw AudioError.clip(path, .unknownFormat) }
        return Facts(text)
    }
}
