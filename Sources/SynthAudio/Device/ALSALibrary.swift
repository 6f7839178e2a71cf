import CALSA

enum ALSALibrary {
    private static let silenced: Void = synth_alsa_silence()

    /// Comes before the first call of libasound that may print.
    static func prepare() {
        silenced
    }
}
