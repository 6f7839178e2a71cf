package import SynthAudio
public import SynthSystem

/// Where speech is heard.
public struct AudioOutput: Hashable, Sendable {
    package let device: String?

    /// The device of the configuration, else the default one.
    public static let standard = AudioOutput(device: nil)

    /// A device by its ALSA name.
    public static func device(_ name: String) -> AudioOutput { AudioOutput(device: name) }
}

extension Speech {
    /// Speaks it aloud. Suspends until all of it was heard; cancelling the task is silence at once.
    ///
    /// - Parameters:
    ///   - output: where it is heard.
    ///   - timings: the path of a file that then says when each word sounds, as with ``write(to:_:timings:)``; nil = none.
    /// - Throws: `cancelled`, `output` if the device fails or the file of times cannot be written, and whatever reading
    ///   the speech throws.
    public func play(
        on output: AudioOutput = .standard, timings: String? = nil
    ) async throws(SpeechError) {
        let timings = try file(timings)
        try await run.play(into: ALSASink(device: output.device ?? run.device ?? "default"), timings: timings)
    }

    /// Speaks it aloud beside whatever the caller does next, to be watched and steered. It goes on whether somebody holds
    /// the playback or not, but ends when nobody holds one that is paused.
    public func startPlaying(on output: AudioOutput = .standard) -> SpeechPlayback {
        start(into: ALSASink(device: output.device ?? run.device ?? "default"))
    }

    package func start(into sink: any AudioSink) -> SpeechPlayback {
        let control = PlaybackControl(sink: sink)
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

    /// Writes it to a file in the format of the name's ending: `.wav`, `.flac`, `.mp3`, `.opus` or `.ogg`; a name without
    /// an ending means WAV. Suspends until it is complete.
    ///
    /// The file gets its name when it ends, and holds what was spoken so far, however the speech ends. Until then a file of
    /// that name stays as it was. If the speech ends early, such a file stays for good, unless it is empty: what was spoken
    /// is then kept beside it as "name (stopped).wav", unless the disk failed. None of the files that the host reads, such as
    /// clips, lexicons and voices, is replaced. A WAV file is RF64 above 4 GiB. A pipe gets the sound as it is made.
    ///
    /// A second file can say when each word sounds: subtitles as `.srt` or `.vtt`, or `.json`. Its times are those of the
    /// sound that is written; an engine that does not know when words sound gives the times of sentences, which `.vtt` and
    /// `.json` say. It ends as the sound file does.
    ///
    /// - Parameters:
    ///   - path: the sound file.
    ///   - options: how it is written.
    ///   - timings: the path of the second file; nil = none. The options of the speech need not ask for events.
    /// - Throws: `cancelled`, `nothingToSay`, `output` if a file cannot be written or a format is not known or not available, and
    ///   whatever reading the speech throws. What the names and the options say wrong is thrown before anything is spoken.
    public func write(
        to path: String, _ options: SpeechFileOptions = .init(), timings: String? = nil
    ) async throws(SpeechError) {
        if let timings, areOneFile(path, timings) { throw .outputsCollide(path: path) }
        let timings = try file(timings)
        let sink: any AudioSink
        do {
            sink = try options.resolved(for: path).sink(path: path, sparing: run.inUse)
        } catch {
            throw SpeechError(error)
        }
        if try await run.play(into: sink, timings: timings).frames == 0 { throw .nothingToSay }
    }

    private func file(_ timings: String?) throws(SpeechError) -> TimingsFile? {
        return try timings.map { path throws(SpeechError) in
            try TimingsFile(path: path, sparing: run.inUse)
        }
    }

    /// Hands all of it to a sink, on this thread, which must not be one of the cooperative pool. Blocks until the sink has
    /// it or it was cancelled. Whatever happens the sink is finished, so that a file holds what was spoken so far.
    ///
    /// - Parameters:
    ///   - timings: is written meanwhile, and gets its name when the speech ends.
    ///   - progress: called on this thread.
    package func deliver(
        to sink: any AudioSink, timings: TimingsFile? = nil, _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechError) -> SpeechSummary {
        try run.deliver(to: sink, timings: timings, progress)
    }
}
