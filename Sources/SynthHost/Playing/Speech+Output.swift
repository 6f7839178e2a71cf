package import SynthAudio

/// Where speech is heard.
public struct AudioOutput: Hashable, Sendable {
    let device: String?

    /// The device of the configuration, else the default one.
    public static let standard = AudioOutput(device: nil)

    /// A device by its ALSA name.
    public static func device(_ name: String) -> AudioOutput { AudioOutput(device: name) }
}

extension Speech {
    /// Speaks it aloud. Suspends until all of it was heard; cancelling the task is silence at once.
    ///
    /// - Throws: `cancelled`, `output` if the device fails, and whatever reading the speech throws.
    public func play(on output: AudioOutput = .standard) async throws(SpeechError) {
        try await run.play(into: ALSASink(device: output.device ?? run.device ?? "default"))
    }

    /// Speaks it aloud beside whatever the caller does next, to be watched and steered. It goes on whether somebody holds
    /// the playback or not, but ends when nobody holds one that is paused.
    public func startPlaying(on output: AudioOutput = .standard) -> SpeechPlayback {
        start(into: ALSASink(device: output.device ?? run.device ?? "default"))
    }

    func start(into sink: any AudioSink) -> SpeechPlayback {
        let control = PlaybackControl(sink: sink)
        let run = run
        let work = Task { () -> Result<Void, SpeechError> in
            do throws(SpeechError) {
                return .success(try await run.play(into: sink, steeredBy: control))
            } catch {
                return .failure(error)
            }
        }
        return SpeechPlayback(run, control, work)
    }

    /// Writes it to a file in the format of the name's ending: `.wav`, `.flac`, `.mp3`, `.opus` or `.ogg`; a name without
    /// an ending means WAV. Suspends until it is complete.
    ///
    /// The file holds what was spoken so far, however the speech ends. A WAV file is made, or made empty, with the first
    /// sound, is valid at any time, and is RF64 above 4 GiB. A file of another format gets its name when it ends: until
    /// then a file of that name stays as it was. A pipe gets the sound as it is made.
    ///
    /// - Throws: `cancelled`, `output` if the file cannot be written or the format is not known or not available, and
    ///   whatever reading the speech throws. What the name and the options say wrong is thrown before anything is spoken.
    public func write(to path: String, _ options: SpeechFileOptions = .init()) async throws(SpeechError) {
        let sink: any AudioSink
        do {
            sink = try options.resolved(for: path).sink(path: path)
        } catch {
            throw SpeechError(error)
        }
        try await run.play(into: sink)
    }

    /// Hands all of it to a sink, on this thread, which must not be one of the cooperative pool. Blocks until the sink has
    /// it or it was cancelled. Whatever happens the sink is finished, so that a file holds what was spoken so far.
    ///
    /// - Parameter progress: called on this thread.
    package func deliver(
        to sink: any AudioSink, _ progress: (SpeechProgress) -> Void = { _ in }
    ) throws(SpeechFailure) -> SpeechSummary {
        try run.deliver(to: sink, progress)
    }
}
