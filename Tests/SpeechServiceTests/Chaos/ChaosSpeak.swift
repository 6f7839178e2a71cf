import Foundation
import TestSupport

/// `synthhost speak` with an audio device that writes the audio to a file instead of playing it.
final class ChaosSpeak: ChaosFrontEnd {
    private let home: UserHome
    private let variables: [String: String?]

    init(_ home: UserHome, adding variables: [String: String?] = [:]) {
        self.home = home
        self.variables = variables
    }

    var process: Int32? { nil }

    func speak(_ text: String, fails: Bool) throws -> LegibleSound {
        try? FileManager.default.removeItem(atPath: home.file("played.wav"))
        let result = try home.runProcess("speak", "-q", "-v", "Moody", text, adding: variables)
        // On a busy machine, an engine may wait longer than the hang limit for CPU time.
        guard result.code == 70 || !fails && result.code == 0 else {
            throw ChaosProblem(description: "The program exited with \(result.code ?? -1): \(result.errors)")
        }
        let wav = try home.wav("played.wav")
        return LegibleSound(wav.samples.map { Float($0) / 32768 }, perLetter: wav.sampleRate / 25)
    }

    func end() throws {}
}
