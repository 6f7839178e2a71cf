package import SynthCatalogue
import SynthHost
import SynthSystem

extension VoiceError {
    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .noEngine: "There is no engine in the plugins folders."
        case .unknownEngine(let name, let near): "There is no engine \"\(name)\"." + Wording.suggestion(near)
        case .onlyExamples(let engines):
            "No engine here speaks a language: \(Wording.few(engines)) \(engines.count == 1 ? "is an example" : "are examples")."
        case .noVoices(let engine): "The engine \"\(engine)\" has no voice."
        case .unknownVoice(let name, let near): "There is no voice \"\(name)\"." + Wording.suggestion(near)
        case .forgottenVoice(let name, let engine, let near):
            "The configuration names the voice \"\(name)\" for the engine \(engine), which has no such voice."
                + Wording.suggestion(near)
        case .ambiguousVoice(let name, let candidates):
            "\"\(name)\" may be any of: \(Wording.few(candidates))."
        case .unknownSpeaker(let name, let voice, let speakers):
            speakers.isEmpty
                ? "The voice \(voice) has one speaker only, so \"\(name)\" cannot be chosen."
                : "The voice \(voice) has no speaker \"\(name)\"; it has \(Wording.few(speakers)), numbered 0 to "
                    + "\(speakers.count - 1)."
        case .speakerOfBlend(let speaker):
            "The speaker \"\(speaker)\" cannot be chosen for several voices at once."
        case .incompleteBlend(let text): "In \"\(text)\" a voice is missing beside a \"+\" or \"*\"."
        case .noWeight(let weight, let voice):
            "\"\(weight)\" is no weight for the voice \(voice): a weight is a number above 0, such as 0.7."
        case .largeBlend(let count, let largest): "\(count) voices are too many for one blend; it takes \(largest)."
        case .noBlends(let engine): "The engine \(engine) cannot blend voices."
        case .blendOfEngines(let title, let engine, let other, let otherEngine):
            "\(title) is a voice of \(engine) and \(other) one of \(otherEngine), and only voices of one engine blend."
        case .blendOfModels(let title, let other):
            "\(title) and \(other) are voices of two models, and only voices of one model blend."
        case .unknownLanguage(let language, let engine, let near):
            "The engine \(engine) has no voice for the language \"\(language)\"." + Wording.suggestion(near)
        case .unsupportedVoice(let title, let why): "The voice \(title) cannot be spoken: \(why)."
        case .notDownloaded(let title, _, let bytes, let why):
            "The voice \(title) is not downloaded (\(ByteCount.words(bytes)))" + (why.map { ": \($0)." } ?? ".")
        case .damaged(let title, _, let why): "The voice \(title) is damaged: \(why)."
        case .missingEngine(let title, let engine):
            "The voice \(title) needs the engine \(engine), which is not installed."
        case .missingFile(let title, let role): "The voice \(title) has no file for the role \"\(role)\"."
        }
    }

    /// What to type next, in one sentence.
    package var remedy: String {
        switch self {
        case .noEngine: "`synthhost doctor` shows where it looks."
        case .onlyExamples(let engines):
            "`synthhost engines list` shows what is missing; to hear the example, add: -e \(engines.first ?? "")"
        case .unknownEngine:
            "`synthhost engines list` shows the engines, and what is wrong with a bad one."
        case .unsupportedVoice: "Choose another one; `synthhost voices --all` lists them."
        case .noVoices: "`synthhost voices` lists the voices of all engines."
        case .unknownVoice, .unknownLanguage: "`synthhost voices` lists them."
        case .notDownloaded(_, let word, _, _): "Type: synthhost models pull \(ShellWord.quoted(word))"
        case .damaged(_, let id, _):
            "You added it yourself: add it again with `synthhost models add PATH --id \(id)`, or type: "
                + "synthhost models remove \(id)"
        case .missingEngine(_, let engine):
            "Put \(engine).so into a plugins folder (`synthhost engines list` shows them), or choose another voice: synthhost voices"
        case .missingFile: "Remove it with `synthhost models remove`, and add it with all its files."
        case .forgottenVoice(_, let engine, _):
            "`synthhost config unset voices.\(engine)` forgets it, and `synthhost voices --engine \(engine)` lists others."
        case .ambiguousVoice(_, let candidates):
            Set(candidates).count == candidates.count
                ? "Type one of them in its place, such as \(ShellWord.quoted(candidates.first ?? ""))."
                : "Name the engine with -e, too; `synthhost voices --ids` shows it."
        case .speakerOfBlend: "Write it after its voice, as in -v \"VOICE+SPEAKER*0.5+OTHER*0.5\"."
        case .incompleteBlend, .noWeight, .largeBlend: "Write for example: -v \"Heart*0.7+Emma*0.3\""
        case .noBlends: "`synthhost voices` lists the voices; name one with -v."
        case .blendOfEngines, .blendOfModels: "`synthhost voices` shows the engine of each."
        case .unknownSpeaker(_, let voice, let speakers):
            speakers.isEmpty
                ? "Leave --speaker out."
                : "Choose one of them with --speaker. `synthhost voices \(ShellWord.quoted(voice))` lists all."
        }
    }
}
