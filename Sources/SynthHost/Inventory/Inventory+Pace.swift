import Engines
import EngineWire
import Glibc
import ModelStore
import VoiceCatalogue

extension Inventory {
    /// How fast this machine makes speech, if that is known already: it was given (`SYNTHHOST_PACE`), or measured
    /// before.
    package func knownPace() -> MachinePace? {
        if let given = host.givenPace { return given }
        return subject.flatMap { record(of: $0).read() }
    }

    /// Measures it; nil if no engine that is here can.
    package func paceMeasurement() -> PaceMeasurement? { paceMeasurement(clock: .real) }

    func paceMeasurement(clock: PaceClock) -> PaceMeasurement? {
        guard let subject, let engine = host.engine(subject.plugin) else { return nil }
        return PaceMeasurement(
            engine: engine, probe: subject.probe, folder: "\(host.folders.cache)/probe", threads: Self.computingThreads,
            clock: clock)
    }

    /// Keeps what was measured, if it describes the machine and not the moment.
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
            path: "\(host.folders.cache)/pace", subject: "\(engine); cost \(subject.probe.cost); \(machine)")
    }

    /// As many as engines take for one utterance if they may choose: more threads gain next to nothing.
    private static var computingThreads: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4) }
}
