import Glibc
import SynthAudio
package import SynthCatalogue
import SynthEngineProcesses
import SynthEngineWire
import SynthModelStore
import SynthSystem

extension HostSnapshot {
    /// The measured loudness of a voice, or nil if it has not been measured. Built-in voices are never measured.
    package func loudness(of voice: Voice) -> VoiceLoudness? {
        host.store.installedVoice(id: voice.id, engine: voice.engine)?.loudness
    }

    /// Returns a loudness measurement for a voice, or nil if its loudness is known or cannot be measured. Loudness
    /// cannot be measured if the voice is built in, its files or engine are missing, or the engine is an example that
    /// does not produce speech.
    ///
    /// - Parameter now: returns the time since a fixed point in time.
    package func loudnessMeasurement(
        of voice: Voice, now: @escaping @Sendable () -> Duration = PaceClock.real.now
    ) -> LoudnessMeasurement? {
        guard let plugin = plugin(of: voice), let description = plugin.engine,
            !description.capabilities.contains(.isExample), !description.speaksWithoutFiles(voice),
            let installed = host.store.installedVoice(id: voice.id, engine: voice.engine), installed.loudness == nil,
            let engine = host.engine(plugin),
            let prepared = try? prepare(VoiceChoice(voice: installed.voice), of: description, isUse: false)
        else { return nil }
        let sentences = LoudnessSentences.sentences(
            in: installed.voice.language, of: host.installation.languages)
        return LoudnessMeasurement(
            installed: installed, store: host.store, engine: engine, prepared: prepared, sentences: sentences, now: now)
    }
}

extension HostSnapshot {
    /// The known pace of this machine, from `SYNTHHOST_PACE` or an earlier measurement.
    package func knownPace() -> MachinePace? {
        if let given = host.configuredPace { return given }
        return subject.flatMap { record(of: $0).read() }
    }

    /// A pace measurement, or nil if no installed engine supports it.
    package func paceMeasurement(clock: PaceClock = .real) -> PaceMeasurement? {
        guard let subject, let engine = host.engine(subject.plugin) else { return nil }
        return PaceMeasurement(
            engine: engine, probe: subject.probe, folder: host.caches.probe, threads: Self.computingThreads,
            clock: clock)
    }

    /// Stores a measurement unless other programs disturbed it.
    package func remember(_ sample: PaceSample) {
        guard sample.wasUndisturbed, let pace = sample.pace, let subject else { return }
        record(of: subject).write(pace)
    }

    private var subject: (plugin: PluginFile, probe: Probe)? {
        for model in (try? registry())?.models ?? [] {
            guard let probe = model.probe, let plugin = plugins.first(where: { $0.engine?.id == model.engine }) else {
                continue
            }
            return (plugin, probe)
        }
        return nil
    }

    private func record(of subject: (plugin: PluginFile, probe: Probe)) -> PaceRecord {
        let engine = subject.plugin.engine.map { "\($0.id) \($0.version)" } ?? ""
        let machine = ProcessorIdentity.current(threads: Self.computingThreads)
        return PaceRecord(
            path: host.caches.pace, subject: "\(engine); cost \(subject.probe.cost); \(machine)")
    }

    /// The default number of threads that an engine uses for one utterance. Using more than four threads barely
    /// improves speed.
    private static var computingThreads: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4) }
}
