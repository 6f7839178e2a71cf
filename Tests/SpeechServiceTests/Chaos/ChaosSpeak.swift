import Foundation
import TestSupport

/// `synthhost speak` on a device that discards the audio as soon as it was written to a file.
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
        // An engine on a busy machine may get no processor time for as long as the limit for one that hangs.
        guard result.code == 70 || !fails && result.code == 0 else {
            throw ChaosProblem(description: "It ended with \(result.code ?? -1): \(result.errors)")
        }
        let wav = try home.wav("played.wav")
        return LegibleSound(wav.samples.map { Float($0) / 32768 }, perLetter: wav.sampleRate / 25)
    }

    func end() throws {}
}
