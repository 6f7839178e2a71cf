import CEspeakNG

/// Selects a voice of libespeak-ng, or another one of the same language if the data of the first is broken.
///
/// The voice `cmn` of releases up to 1.51 reads Chinese characters as English words
/// (https://github.com/espeak-ng/espeak-ng/issues/1028); the voice for pinyin reads the same characters right. Under the
/// caller's lock, as every call of the library.
package enum VoiceSelection {
    private static let mandarin = "sit/cmn"
    private static let pinyin = "sit/cmn-Latn-pinyin"

    /// - Parameter name: The library's name for the voice: `cmn`, `sit/cmn`, `sit/cmn+f3`.
    /// - Returns: False if there is no such voice.
    package static func select(_ name: String) -> Bool {
        espeak_SetVoiceByName(name) == EE_OK && repair(variant: name.firstIndex(of: "+").map { name[$0...] } ?? "")
    }

    /// Does the same for the voice that is selected already.
    static func repair(variant: Substring = "") -> Bool {
        guard let identifier = espeak_GetCurrentVoice()?.pointee.identifier,
            String(cString: identifier).prefix(while: { $0 != "+" }) == mandarin, readsEnglish
        else { return true }
        if espeak_SetVoiceByName(pinyin + variant) == EE_OK { return true }
        // The data may lack it.
        return espeak_SetVoiceByName(mandarin + variant) == EE_OK
    }

    /// Whether a Chinese character is read by the rules of English: the phonemes then begin with that language's name.
    private static var readsEnglish: Bool {
        "你".withCString { text in
            var isEnglish = false
            var rest: UnsafeRawPointer? = UnsafeRawPointer(text)
            // To the end: an unread rest would be spoken at the start of the next text.
            while rest != nil {
                guard let phonemes = espeak_TextToPhonemes(&rest, espeakCHARS_UTF8, Int32(espeakPHONEMES_IPA)) else {
                    break
                }
                isEnglish = isEnglish || String(cString: phonemes).utf8.contains(UInt8(ascii: "("))
            }
            return isEnglish
        }
    }
}
