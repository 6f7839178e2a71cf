import CSynthEspeakNG
import Glibc
import Synchronization

/// The interface to libespeak-ng. The library's state is global to the process and covers a single voice and a single
/// text, so one lock guards all calls.
///
/// The library is never terminated, because other code in the process may be using it.
package enum Espeak {
    /// A clause and its phonemes.
    package struct Clause: Equatable, Sendable {
        /// IPA with spaces between words, without the language names that espeak-ng inserts when it switches languages.
        package var phonemes: String
        /// The punctuation mark that ends the clause: `.`, `?`, `!`, `,`, `:` or `;`. `nil` if there is none.
        package var terminator: Unicode.Scalar?
        package var endsSentence: Bool
        /// The clause's UTF-8 range in the text.
        package var bytes: Range<Int>
    }

    private struct State {
        var isReady = false
        var voice: String?
        var identifier: String?
    }

    private typealias Phonemize =
        @convention(c) (
            UnsafeMutablePointer<UnsafeRawPointer?>?, Int32, Int32, UnsafeMutablePointer<Int32>?
        ) -> UnsafePointer<CChar>?

    private static let state = Mutex(State())

    /// The version of the library and its data. Phonemes differ between releases.
    package static var version: String {
        espeak_Info(nil).map { String(cString: $0) } ?? "unknown"
    }

    /// Splits text into clauses and converts them to phonemes, at about 500 kB/s.
    ///
    /// - Parameter tied: Whether letters that form one phoneme are joined by a tie (U+0361): `t͡ʃ`, `a͡ɪ`.
    package static func clauses(
        of text: String, voice: String, tied: Bool = false
    ) throws(PhonemeError) -> [Clause] {
        try state.withLock { (state) throws(PhonemeError) in
            try prepare(&state, voice)
            return clauses(of: Array(text.utf8), voice, tied: tied)
        }
    }

    /// Returns the phonemes of individual words, each processed in isolation.
    package static func phonemes(
        ofWords words: [String], voice: String, tied: Bool = false
    ) throws(PhonemeError) -> [String] {
        try state.withLock { (state) throws(PhonemeError) in
            try prepare(&state, voice)
            return words.map { word in
                clauses(of: Array(word.utf8), voice, tied: tied).map(\.phonemes).joined(separator: " ")
            }
        }
    }

    /// Returns the voice's mnemonics, keyed by IPA. Do not call this in a process that synthesizes speech with the
    /// library, because it replaces the audio callback.
    package static func mnemonics(of voice: String) throws(PhonemeError) -> MnemonicTable {
        try state.withLock { (state) throws(PhonemeError) in
            try prepare(&state, voice)
            espeak_SetSynthCallback { _, _, _ in 0 }
            return MnemonicTable.ofSelectedVoice()
        }
    }

    /// Returns the IPA for text that contains mnemonics in `[[ … ]]`. Like `mnemonics(of:)`, this must not be called in
    /// a process that synthesizes speech.
    package static func phonemes(ofMnemonics text: String, voice: String) throws(PhonemeError) -> String {
        try state.withLock { (state) throws(PhonemeError) in
            try prepare(&state, voice)
            espeak_SetSynthCallback { _, _, _ in 0 }
            return MnemonicTable.readingMnemonics {
                // No voice crashes on the characters in mnemonics.
                clauses(of: Array(text.utf8), "", tied: false).map(\.phonemes).joined(separator: " ")
            }
        }
    }

    /// The names under which the library selects its voices, such as `gmw/en-US`.
    package static func voices() throws(PhonemeError) -> [String] {
        try state.withLock { (state) throws(PhonemeError) in
            try prepare(&state, "en")
            guard var next = espeak_ListVoices(nil) else { return [] }
            var names: [String] = []
            while let voice = next.pointee {
                if let identifier = voice.pointee.identifier { names.append(String(cString: identifier)) }
                next += 1
            }
            return names
        }
    }

    private static func prepare(_ state: inout State, _ voice: String) throws(PhonemeError) {
        if !state.isReady {
            let rate = ProcessLocale.keeping {
                espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, nil, espeakINITIALIZE_DONT_EXIT)
            }
            guard rate > 0 else { throw .espeakMissing }
            state.isReady = true
        }
        // Other code in the process may have selected a different voice.
        guard state.voice != voice || state.identifier != currentIdentifier else { return }
        if !EspeakSelection.select(voice) {
            // The library finds "en-us" by name, but "en-gb" only by language.
            let isFound = voice.withCString { language in
                var wanted = espeak_VOICE()
                wanted.languages = language
                return espeak_SetVoiceByProperties(&wanted) == EE_OK && EspeakSelection.repair()
            }
            guard isFound else {
                state.voice = nil
                throw .unknownVoice(voice)
            }
        }
        state.voice = voice
        state.identifier = currentIdentifier
    }

    /// The path of the current voice's file, in the format that the library uses.
    private static var currentIdentifier: String? {
        espeak_GetCurrentVoice()?.pointee.identifier.map { String(cString: $0) }
    }

    /// Splits text into clauses. Always reads to the end of the text; otherwise, the library would speak the rest at
    /// the start of the next text.
    private static func clauses(of utf8: [UInt8], _ voice: String, tied: Bool) -> [Clause] {
        guard !utf8.isEmpty else { return [] }
        let utf8 = UnsafeCharacters.removed(from: utf8, voice: voice)
        let mode = Int32(espeakPHONEMES_IPA) | (tied ? Int32(espeakPHONEMES_TIE) | 0x361 << 8 : 0)
        var clauses: [Clause] = []
        (utf8 + [0]).withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var next: UnsafeRawPointer? = base
            var start = 0
            while next != nil {
                var code: Int32 = 0
                let phonemes =
                    if let telling {
                        telling(&next, Int32(espeakCHARS_UTF8), mode, &code)
                    } else {
                        espeak_TextToPhonemes(&next, Int32(espeakCHARS_UTF8), mode)
                    }
                let taken = start..<max(start, next.map { min($0 - base, utf8.count) } ?? utf8.count)
                var end = ClauseEnd(utf8, taken: taken, isLast: next == nil)
                if telling != nil { end = ClauseEnd(position: end.position, code: code) }
                clauses.append(
                    Clause(
                        phonemes: phonemes.map { withoutLanguageNames(String(cString: $0)) } ?? "",
                        terminator: end.symbol, endsSentence: end.endsSentence, bytes: start..<end.position))
                start = end.position
            }
        }
        return clauses
    }

    /// Removes the language names around words that are read by the rules of a different language, such as the `(en)`
    /// before and the `(de)` after an English word in German text.
    ///
    /// Compares scalars instead of characters, because with ties, the name is written `(͡e͡n)`, and a bracket with a
    /// tie is a different character.
    private static func withoutLanguageNames(_ phonemes: String) -> String {
        guard phonemes.utf8.contains(UInt8(ascii: "(")) else { return phonemes }
        var kept = String.UnicodeScalarView()
        var rest = phonemes.unicodeScalars[...]
        while let open = rest.firstIndex(of: "("), let close = rest[open...].firstIndex(of: ")") {
            kept += rest[..<open]
            rest = rest[rest.index(after: close)...]
        }
        return String(kept + rest)
    }

    /// The function that also reports how a clause ends. It is `nil` for older releases, whose headers also lack the
    /// declaration.
    private static let telling: Phonemize? = {
        guard let symbol = dlsym(nil, "espeak_TextToPhonemesWithTerminator") else { return nil }
        return unsafeBitCast(symbol, to: Phonemize.self)
    }()
}

/// Preserves the locale of the process.
package enum ProcessLocale {
    /// Runs `body` and then restores the process's locale. libespeak-ng sets the locale on startup but does not need
    /// it, because it has its own letter tables.
    package static func keeping<Result>(_ body: () -> Result) -> Result {
        let locale = setlocale(LC_ALL, nil).flatMap { strdup($0) }
        defer {
            if let locale { setlocale(LC_ALL, locale) }
            free(locale)
        }
        return body()
    }
}

/// Selects a libespeak-ng voice, or a different voice for the same language if the requested one is broken.
///
/// In releases up to 1.51, the voice `cmn` reads Chinese characters as English words
/// (https://github.com/espeak-ng/espeak-ng/issues/1028); the pinyin voice reads them correctly. As with every call to the
/// library, the caller must hold the lock.
package enum EspeakSelection {
    private static let mandarin = "sit/cmn"
    private static let pinyin = "sit/cmn-Latn-pinyin"

    /// - Parameter name: The library's name for the voice, such as `cmn`, `sit/cmn` or `sit/cmn+f3`.
    /// - Returns: False if there is no such voice.
    package static func select(_ name: String) -> Bool {
        espeak_SetVoiceByName(name) == EE_OK && repair(variant: name.firstIndex(of: "+").map { name[$0...] } ?? "")
    }

    /// Replaces the selected voice if it is broken.
    static func repair(variant: Substring = "") -> Bool {
        guard let identifier = espeak_GetCurrentVoice()?.pointee.identifier,
            String(cString: identifier).prefix(while: { $0 != "+" }) == mandarin, readsEnglish
        else { return true }
        if espeak_SetVoiceByName(pinyin + variant) == EE_OK { return true }
        // The pinyin voice may not be installed.
        return espeak_SetVoiceByName(mandarin + variant) == EE_OK
    }

    /// Whether the voice reads a Chinese character by English rules, in which case the phonemes contain a language name, such
    /// as `(en)`.
    private static var readsEnglish: Bool {
        "你".withCString { text in
            var isEnglish = false
            var rest: UnsafeRawPointer? = UnsafeRawPointer(text)
            // Read to the end; otherwise, the library would speak the rest at the start of the next text.
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
