package import Engines
import EngineWire
import Glibc
package import ModelStore

extension LocalHost {
    /// How fast this machine makes speech, where that is known already: it was said (`SYNTHHOST_PACE`), or measured
    /// before.
    package func knownPace(_ plugins: [PluginFile], _ registry: Registry) -> MachinePace? {
        if let givenPace { return givenPace }
        return subject(plugins, registry).flatMap { record(of: $0).read() }
    }

    /// How to find it out; nil where no engine that is here can tell.
    package func paceMeasurement(_ plugins: [PluginFile], _ registry: Registry) -> PaceMeasurement? {
        guard let subject = subject(plugins, registry), let engine = engine(subject.plugin) else { return nil }
        return PaceMeasurement(
            engine: engine, probe: subject.probe, folder: "\(folders.cache)/probe", threads: Self.computingThreads)
    }

    /// Keeps what was measured, where it tells of the machine and not of the moment.
    package func remember(_ sample: PaceSample, _ plugins: [PluginFile], _ registry: Registry) {
        guard sample.wasUndisturbed, let pace = sample.pace, let subject = subject(plugins, registry) else { return }
        record(of: subject).write(pace)
    }

    private func subject(
        _ plugins: [PluginFile], _ registry: Registry
    ) -> (plugin: PluginFile, probe: Probe)? {
        for model in registry.models {
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
        return PaceRecord(path: "\(folders.cache)/pace", subject: "\(engine); cost \(subject.probe.cost); \(machine)")
    }

    /// As many as engines take for one utterance where they may choose: more gain next to nothing.
    private static var computingThreads: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 4) }
}
