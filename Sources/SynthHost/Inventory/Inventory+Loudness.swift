import ModelStore
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
}
