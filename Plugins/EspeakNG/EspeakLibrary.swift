import CSynthEspeakNG
import EngineKit
import Glibc
import Synchronization
import SynthPhonemes

/// This process's instance of libespeak-ng. Its voice, parameters and running synthesis are global, so a single lock
/// guards all calls.
struct EspeakLibrary: ~Copyable {
    static let shared = Mutex(EspeakLibrary())

    private(set) var sampleRate = 0
    private var selected: (name: String, prosody: Prosody)?
    /// Mnemonic tables, keyed by voice name. An entry is added when a voice first speaks IPA.
    private var tables: [String: MnemonicTable] = [:]
    private static let maximumTables = 16

    private var installed: EspeakCatalogue?

    /// The installed voices, read once per process. If reading fails, the next call tries again.
    mutating func catalogue() throws(EngineError) -> EspeakCatalogue {
        if let installed { return installed }
        let catalogue = EspeakCatalogue(listed: try voices(), variants: try variants())
        installed = catalogue
        return catalogue
    }

    private mutating func voices() throws(EngineError) -> [EspeakVoice] {
        try start()
        // The library skips voices that it cannot read. Without this check, the host would assume that those voices do
        // not exist.
        errno = 0
        let list = espeak_ListVoices(nil)
        try Self.checkReading(of: "its voices")
        var voices: [EspeakVoice] = []
        var next = list
        while let place = next, let voice = place.pointee {
            if let voice = EspeakVoice(voice.pointee) { voices.append(voice) }
            next = place + 1
        }
        // If this did not throw, the host would cache a description without voices and never retry.
        if voices.isEmpty {
            throw EngineError(.failed, "eSpeak NG found no voices. Try again, or reinstall espeak-ng-data.")
        }
        return voices
    }

    /// The file names of the variants. libespeak-ng can also list them, but rereads every voice file to do so.
    private mutating func variants() throws(EngineError) -> [String] {
        try start()
        var path: UnsafePointer<CChar>?
        _ = espeak_Info(&path)
        errno = 0
        guard let path, let folder = opendir(String(cString: path) + "/voices/!v") else {
            try Self.checkReading(of: "its variants")
            return []
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
            errno = 0
        }
        if errno != 0 { try Self.checkReading(of: "its variants", with: [errno]) }
        return names
    }

    /// Throws if `errno` indicates that a file or folder could not be read. A missing file is not an error.
    private static func checkReading(
        of what: String, with codes: Set<Int32> = [EMFILE, ENFILE, ENOMEM, EIO]
    ) throws(EngineError) {
        let code = errno
        guard codes.contains(code) else { return }
        throw EngineError(.failed, "eSpeak NG cannot read \(what): \(String(cString: strerror(code))).")
    }

    /// Selects the voice and prosody for the next `speak`. The parameters must be set after the voice, even if they are
    /// unchanged, because the speed in a voice file takes effect only when the rate is set.
    mutating func select(_ name: String, _ prosody: Prosody) throws(EngineError) {
        try start()
        if let selected, selected == (name, prosody) { return }
        selected = nil
        guard EspeakSelection.select(name),
            espeak_SetParameter(espeakRATE, Prosody.wordsPerMinute, 0) == EE_OK,
            espeak_SetParameter(espeakPITCH, prosody.pitch, 0) == EE_OK,
            espeak_SetParameter(espeakRANGE, prosody.range, 0) == EE_OK
        else {
            throw EngineError(.failed, "eSpeak NG cannot use its voice \"\(name)\". Reinstall espeak-ng-data.")
        }
        selected = (name, prosody)
    }

    /// Returns the UTF-8 bytes for the selected voice to speak, and the word positions in the request's text.
    mutating func prepare(_ request: SpeechRequest) throws(EngineError) -> (text: [UInt8], places: WordPositions) {
        let voice = selected?.name ?? ""
        guard request.kind != .text else {
            // Each removed character is replaced with a space, so the length does not change and event positions stay
            // correct.
            return (UnsafeCharacters.removed(from: Array(request.text.utf8), voice: voice), WordPositions(request.text))
        }
        do {
            let text = try MnemonicText(request.text, isAllIPA: request.kind == .phonemes, by: table(of: voice))
            return (text.safeBytes(voice: voice), WordPositions(text.pieces))
        } catch {
            throw EngineError(.badRequest, error.description)
        }
    }

    private mutating func table(of voice: String) -> MnemonicTable {
        if let table = tables[voice] { return table }
        if tables.count >= Self.maximumTables { tables = [:] }
        Self.listen()
        let table = MnemonicTable.ofSelectedVoice()
        Self.forget(length: 0)
        tables[voice] = table
        return table
    }

    /// Speaks the entire text unless `output` throws.
    ///
    /// - Parameter hasMnemonics: Whether the text contains mnemonics in `[[ … ]]`.
    func speak(
        _ text: [UInt8], hasMnemonics: Bool, as utterance: inout EspeakUtterance, to output: borrowing SpeechOutput
    ) throws {
        defer { Self.forget(length: text.count) }
        Self.listen()
        let text = text + [0]
        let flags = UInt32(espeakCHARS_UTF8 | espeakENDPAUSE | (hasMnemonics ? espeakPHONEMES : 0))
        try withUnsafePointer(to: output) { output in
            try withUnsafeMutablePointer(to: &utterance) { utterance in
                var running = Running(utterance: utterance, output: output)
                let result = withUnsafeMutablePointer(to: &running) { running in
                    espeak_Synth(text, text.count, 0, POS_CHARACTER, 0, flags, nil, running)
                }
                if let error = running.error { throw error }
                guard result == EE_OK else { throw EngineError(.failed, "eSpeak NG could not speak the text.") }
            }
        }
    }

    /// Resets libespeak-ng's state between texts, as far as possible. The library reads past the end of a clause's
    /// phonemes into those left over from an earlier, longer clause, which lengthens pauses by up to 50 ms. After an
    /// abort, it also retains a character of the text. Converting a long text to phonemes and discarding the result
    /// resets both.
    ///
    /// The library's flutter, a slight pitch movement that continues across texts, cannot be reset: its phase is a
    /// counter inside a function, which survives even a restart of the library (1.51, `AdvanceParameters`). Therefore,
    /// only the first text that a process speaks is reproducible sample for sample. Because voiced phonemes end with a
    /// complete pitch period, the length of a sentence may also vary by one period, about 10 ms. For these reasons, the
    /// engine is not `isDeterministic`.
    private static func forget(length: Int) {
        String(repeating: "papa ", count: min(20 + length / 4, 200)).withCString { filler in
            var rest: UnsafeRawPointer? = UnsafeRawPointer(filler)
            while rest != nil {
                guard espeak_TextToPhonemes(&rest, espeakCHARS_UTF8, 0) != nil else { return }
            }
        }
    }

    /// Installs this engine's audio callback, which other code in the process may have replaced.
    private static func listen() {
        espeak_SetSynthCallback { pcm, count, events in
            guard let events, let context = events.pointee.user_data else { return 0 }
            let running = context.assumingMemoryBound(to: Running.self)
            let samples = UnsafeBufferPointer(start: pcm, count: pcm == nil ? 0 : Int(count))
            do {
                try running.pointee.utterance.pointee.take(samples, events, to: running.pointee.output.pointee)
                return 0
            } catch {
                running.pointee.error = error
                return 1
            }
        }
    }

    private mutating func start() throws(EngineError) {
        guard sampleRate == 0 else { return }
        let rate = ProcessLocale.keeping {
            espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, nil, espeakINITIALIZE_DONT_EXIT)
        }
        guard rate > 0 else {
            throw EngineError(
                .failed, "eSpeak NG's data is missing or damaged; install it with: sudo apt install espeak-ng-data"
            )
        }
        sampleRate = Int(rate)
    }
}

/// The callback's state during a call to `espeak_Synth`.
private struct Running {
    let utterance: UnsafeMutablePointer<EspeakUtterance>
    let output: UnsafePointer<SpeechOutput>
    var error: (any Error)?
}

/// Pitch and range in libespeak-ng's units.
///
/// The host controls the rate, because the effect of libespeak-ng's words-per-minute setting differs between languages.
/// At 350, twice the default of 175, Russian is 1.7 times as fast and Japanese 2.2 times.
struct Prosody: Equatable {
    /// The pitch factors that can be applied to both the base pitch and the pitch range.
    static let pitches: ClosedRange<Float> = 0.65...1.75

    /// The default rate. The speed in a voice file takes effect only after the rate is set.
    static let wordsPerMinute: Int32 = 175
    /// The base pitch, from 0 to 99.
    let pitch: Int32
    /// The pitch range, from 0 to 99.
    let range: Int32

    /// The base pitch doubles every 50 steps. The variation above it, in hertz, is `range`/50 times the voice's
    /// default. To preserve musical intervals, the range is multiplied by the full factor. However, libespeak-ng
    /// lowers the base pitch as the range widens, by about a quarter for each doubling of the range; this formula
    /// compensates for that. In measurements of seven voices, the fundamental frequency follows the factor to within
    /// 4%.
    init(pitch factor: Float) {
        let base = factor + 0.25 * (factor - 1)
        pitch = min(max(Int32((50 + 50 * log2(base)).rounded()), 0), 99)
        range = min(max(Int32((50 * factor).rounded()), 0), 99)
    }
}
