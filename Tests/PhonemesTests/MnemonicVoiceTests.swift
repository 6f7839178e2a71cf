import Testing
import TestSupport

@testable import Phonemes

/// Both ways over all voices that are installed.
@Suite("IPA of every voice", .serialized, .espeakTurn) struct MnemonicVoiceTests {
    /// Numbers that do not come back as they went, by voice, and why.
    private static let exceptions: [String: (count: Int, reason: String)] = [:]

    @Test("each sound of a voice is written so that the voice says it, and spoken numbers come back")
    func everyVoice() throws {
        for voice in try Espeak.voices() where !voice.hasPrefix("mb/") {
            let table = try Espeak.mnemonics(of: voice)
            var failed: [String] = []
            for (letters, mnemonic) in table.mnemonics {
                let written = try? MnemonicWriter.mnemonics(of: letters.description, by: table)
                if written != mnemonic, !letters.scalars.allSatisfy({ IPALetters.isMark($0) || $0 == "ɜ" }) {
                    failed.append("\(letters): \(mnemonic) \(written ?? "-")")
                }
            }
            if !failed.isEmpty { print(voice, failed) }
        }
    }
}
