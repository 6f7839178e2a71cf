import Engines
import EngineWire
import ModelStore
import SynthAudio
import System
package import VoiceCatalogue

extension Inventory {
    /// How loud a voice is by itself; nil if that was not measured. A voice that is built into an engine never is.
    package func loudness(of voice: Voice) -> VoiceLoudness? {
        host.store.installedVoice(id: voice.id, engine: voice.engine)?.loudness
    }

    /// The gain in decibels that makes a voice as loud as all others, as far as that is known.
    package func gain(of voice: Voice) -> Double {
        gain(of: voice, host.store.installedVoice(id: voice.id, engine: voice.engine))
    }

    /// - Parameter installed: the voice as it is in the store; nil = it needs no files.
    func gain(of voice: Voice, _ installed: InstalledVoice?) -> Double {
        let gain =
            if let installed { installed.loudness?.gain ?? voice.gain } else {
                builtInGains[voice.engine]?.gain(of: voice.id) ?? voice.gain
            }
        // A registry may say anything.
        return min(max(gain, -Self.largestGain), Self.largestGain)
    }

    private static let largestGain = 40.0

    /// Measures how loud a voice is; nil if that is known or cannot be: it is built into its engine, its files or its
    /// engine are not here, or the engine is an example, whose sound is no speech.
    package func loudnessMeasurement(of voice: Voice) -> LoudnessMeasurement? {
        let start = ContinuousClock.now
        return loudnessMeasurement(of: voice) { ContinuousClock.now - start }
    }

    func loudnessMeasurement(
        of voice: Voice, now: @escaping @Sendable () -> Duration
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
            installed, of: host.store, as: prepared, by: engine, speaking: sentences, now: now)
    }
}
