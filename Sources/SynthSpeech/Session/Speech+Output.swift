package import SynthAudio
public import SynthSystem

/// The audio device for playback.
public struct AudioOutput: Hashable, Sendable {
    package let device: String?

    /// The configured device or, if none is configured, the default device.
    public static let standard = AudioOutput(device: nil)

    /// Returns the device with this ALSA name.
    public static func device(_ name: String) -> AudioOutput { AudioOutput(device: name) }
}

extension Speech {
    /// Plays the speech. Suspends until playback is complete. Cancelling the task stops the audio immediately.
    ///
    /// - Parameters:
    ///   - output: the audio device.
    ///   - timings: the path of a file for word timings, as in ``write(to:_:timings:)``, or nil for none.
    /// - Throws: `cancelled`; an error such as `deviceNotOpened` or `deviceFailed` if the device cannot play the audio;
    ///   `timingsFormatUnknown` or `timingsNotWritten` if the timings file cannot be written; or any error that reading the speech throws.
    public func play(
        on output: AudioOutput = .standard, timings: String? = nil
    ) async throws(SpeechError) {
        let timings = try file(timings)
        try await run.play(into: ALSASink(device: output.device ?? run.device ?? "default"), timings: timings)
    }

    /// Starts playback and returns a handle to observe and control it. If you release the handle, playback continues, but
    /// paused playback stops.
    public func startPlaying(on output: AudioOutput = .standard) -> SpeechPlayback {
        start(into: ALSASink(device: output.device ?? run.device ?? "default"))
    }

    package func start(into sink: any AudioSink) -> SpeechPlayback {
        let control = PlaybackControl<SpokenEvent>(sink: sink)
        let run = run
        let work = Task { () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                try await run.play(into: sink, steeredBy: control)
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        return SpeechPlayback(run, control, work)
    }

    /// Writes the speech to a file in the format that its extension specifies: `.wav`, `.flac`, `.mp3`, `.opus` or `.ogg`. Without an
    /// extension, the format is WAV. Suspends until the file is complete.
    ///
    /// The audio is written to a temporary file, which gets its final name when the speech is complete. Until then, an existing file
    /// remains unchanged. If the speech ends early, the audio is stored as "name (stopped).wav". Files that the host is using, such as
    /// clips, lexicons or voices, are never overwritten. WAV files above 4 GiB are written as RF64. A pipe receives the audio during
    /// synthesis.
    ///
    /// A second file can contain word timings: subtitles (`.srt` or `.vtt`) or JSON (`.json`). The times are relative
    /// to the start of the written audio. If the engine does not report word timings, the file contains sentence
    /// timings instead; `.vtt` and `.json` files indicate this. If the speech ends early, the timings file is treated
    /// like the audio file.
    ///
    /// - Parameters:
    ///   - path: the path of the audio file.
    ///   - options: the format and the tags.
    ///   - timings: the path of the timings file, or nil for none. The speech options need not request events.
    /// - Throws: `cancelled`; `nothingToSay`; an error such as `fileNotCreated`, `diskFull` or `timingsNotWritten` if a file cannot be
    ///   written; `formatUnknown`, `formatContradicted`, `formatUnsupported` or `timingsFormatUnknown` if a format cannot be used; or any
    ///   error that reading the speech throws. Errors in the paths and options are thrown before synthesis starts.
    public func write(
        to path: String, _ options: SpeechFileOptions = .init(), timings: String? = nil
    ) async throws(SpeechError) {
        if let timings, areOneFile(path, timings) { throw .outputsCollide(path: path) }
        let timings = try file(timings)
        let sink = try rethrowing(
            options.resolved(for: path).sink(path: path, sparing: run.inUse), as: AudioError.asSpeechError)
        if try await run.play(into: sink, timings: timings).frames == 0 { throw .nothingToSay }
    }

    private func file(_ timings: String?) throws(SpeechError) -> TimingsFile? {
        return try timings.map { path throws(SpeechError) in
            try TimingsFile(path: path, sparing: run.inUse)
        }
    }

    /// Passes all audio to a sink on the calling thread, which must not belong to the cooperative pool. Blocks until the sink
    /// has received all audio or the speech is cancelled. Finishes the sink even after an error, so that a file contains all
    /// audio up to the error.
    ///
    /// - Parameters:
    ///   - timings: the timings file, which is written in parallel and renamed when the speech ends.
    ///   - progress: called on the same thread.
    package func deliver(
        to sink: any AudioSink, timings: TimingsFile? = nil, _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechError) -> SpeechSummary {
        let lease = SpeechLease(run)
        defer { withExtendedLifetime(lease) {} }
        return try run.deliver(lease, to: sink, timings: timings, progress)
    }
}
