import ModelStore

/// A voice, speaker or engine that is not there, or not clearly meant.
package enum VoiceError: Error, Hashable, Sendable {
    case noEngine
    case unknownEngine(String, near: [String])
    /// The engine's file is there, but it cannot be used.
    case unusableEngine(String)
    case noVoices(engine: String)
    case unknownVoice(String, near: [String])
    /// The voice of the configuration is not there any more.
    case forgottenVoice(String, engine: String, near: [String])
    case ambiguousVoice(String, candidates: [String])
    case unknownSpeaker(String, voice: String, speakers: [String])
    case unknownLanguage(String, engine: String, near: [String])
    /// It is known, and its files are not here; `word` is what to type for it. `why` is said where they once were, or are half there.
    case notDownloaded(title: String, word: String, bytes: Int64, why: String?)
    /// It is known, and its engine is not among the plugins.
    case missingEngine(title: String, engine: String)
    /// Its files are here, and the engine needs another one, which nothing says where to get.
    case missingFile(title: String, role: String)

    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .noEngine: "There is no engine in the plugins folders."
        case .unknownEngine(let name, let near): "There is no engine \"\(name)\"." + Self.suggestion(near)
        case .unusableEngine(let name): "The engine \"\(name)\" cannot be used."
        case .noVoices(let engine): "The engine \"\(engine)\" has no voice."
        case .unknownVoice(let name, let near): "There is no voice \"\(name)\"." + Self.suggestion(near)
        case .forgottenVoice(let name, let engine, let near):
            "The configuration names the voice \"\(name)\" for the engine \(engine), which has no such voice."
                + Self.suggestion(near)
        case .ambiguousVoice(let name, let candidates):
            "\"\(name)\" may be any of: \(Self.few(candidates))."
        case .unknownSpeaker(let name, let voice, let speakers):
            speakers.isEmpty
                ? "The voice \(voice) has one speaker only, so \"\(name)\" cannot be chosen."
                : "The voice \(voice) has no speaker \"\(name)\"; it has \(Self.few(speakers))."
        case .unknownLanguage(let language, let engine, let near):
            "The engine \(engine) has no voice for the language \"\(language)\"." + Self.suggestion(near)
        case .notDownloaded(let title, _, let bytes, let why):
            "The voice \(title) is not downloaded (\(ByteCount.words(bytes)))" + (why.map { ": \($0)." } ?? ".")
        case .missingEngine(let title, let engine):
            "The voice \(title) needs the engine \(engine), which is not installed."
        case .missingFile(let title, let role): "The voice \(title) has no file for the role \"\(role)\"."
        }
    }

    /// What to type next, in one sentence.
    package var remedy: String {
        switch self {
        case .noEngine: "`synthhost doctor` shows where it looks."
        case .unknownEngine, .unusableEngine:
            "`synthhost engines list` shows the engines, and what is wrong with a bad one."
        case .noVoices: "`synthhost voices` lists the voices of all engines."
        case .unknownVoice, .unknownLanguage: "`synthhost voices` lists them."
        case .notDownloaded(_, let word, _, _): "Type: synthhost models pull \(ShellWord.quoted(word))"
        case .missingEngine(_, let engine):
            "Put \(engine).so into a plugins folder (`synthhost engines list` shows them), or choose another voice: synthhost voices"
        case .missingFile: "Remove it with `synthhost models remove`, and add it with all its files."
        case .forgottenVoice(_, let engine, _):
            "`synthhost config unset voices.\(engine)` forgets it, and `synthhost voices --engine \(engine)` lists others."
        case .ambiguousVoice(_, let candidates):
            "Say which one, for example -v \"\(candidates.first ?? "")\", and its engine with -e where two have it."
        case .unknownSpeaker(_, _, let speakers):
            speakers.isEmpty ? "Leave --speaker out." : "Choose one of them with --speaker."
        }
    }

    private static func suggestion(_ near: [String]) -> String {
        near.isEmpty ? "" : " Did you mean \(near.map { "\"\($0)\"" }.joined(separator: " or "))?"
    }

    private static func few(_ names: [String]) -> String {
        let most = 8
        let rest = names.count - most
        return names.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
