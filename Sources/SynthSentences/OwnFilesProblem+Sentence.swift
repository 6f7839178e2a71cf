import SynthCatalogue
package import SynthHost
import SynthSystem

extension OwnFilesProblem {
    /// What happened, in one sentence.
    package var message: String {
        switch self {
        case .unknownLanguage(let path): "The language of \(path) cannot be told from its files."
        case .noBundle(let count): "The \(count) files make no voices of one model."
        case .namesForSeveral(let count): "--name and --id name one voice, and these are \(count)."
        case .sameName(let name): "Two of the files are called \(name)."
        case .noName: "A voice needs a name."
        case .severalEngines(let engines): "Several engines could speak it: \(engines.joined(separator: ", "))."
        case .withoutFiles(let engine): "The engine \(engine) takes no files of one's own."
        case .fitsNone(let engines) where engines.isEmpty: "No engine here uses files."
        case .fitsNone(let engines): "It fits none of the engines \(engines.joined(separator: ", "))."
        case .needs(let engine, let roles, _, _, _):
            "The engine \(engine) needs a file for each of: \(roles.joined(separator: ", "))."
        case .missing(let name, let path, let engine):
            "\(name) is missing beside \(path): the engine \(engine) needs both."
        case .noVoice(let model, let engine, let role, _, _):
            "\(model) is a model of the engine \(engine) without voices: the file of a voice (\(role)), or of several, is "
                + "missing."
        case .noModel(let voices, let engine, let role, _, _):
            "\(voices) has voices of the engine \(engine), and the file of their \(role) is missing."
        case .severalModels(let path, let choices):
            "\(path) holds \(choices.count > 1 ? "\(choices.count) models" : "several models"), and one is added at a time."
        case .unsupported(let left, _):
            "\(left.words) cannot be added: \(left.reason)."
        case .modelOnly(let path, let model, let voices, _):
            "\(path) is the model of \(voices.count == 1 ? "a voice" : "\(voices.count) voices") of "
                + "\(model.engine)\(Self.example(voices)), and no voice by itself."
        case .severalFiles(let role, let paths):
            "Several of the files could be the \(role): \(paths.map(Self.name(of:)).joined(separator: ", "))."
        case .deaf(let name, let failure): "\(name) was not added. \(failure.recognizerMessage)"
        case .silent(_, .voiceFile(let flaw)): "\(Self.name(of: flaw.path)): \(flaw.error.words)"
        case .silent(_, let failure): failure.message
        }
    }

    /// What to type next.
    package var remedy: String {
        switch self {
        case .unknownLanguage: "Say it, for example: --language en-GB"
        case .noBundle:
            "Name the model and a file for each voice, as in: synthhost models add model.onnx nell.bin tom.bin"
        case .namesForSeveral: "Leave them out: each voice is called like its file."
        case .sameName: "Rename one of them."
        case .noName: "Say it with --name NAME."
        case .severalEngines: "Name one with --engine."
        case .withoutFiles: "Leave --engine out, or name another one; `synthhost engines list` shows them."
        case .fitsNone: "Name the engine with --engine; `synthhost engines list` shows them."
        case .needs(_, _, let missing, let others, let next?)
        where missing.count == 1 && others.count == 1 && missing[0].path != others[0]:
            "If \(others[0]) is its \(missing[0].role), type: mv \(ShellWord.quoted(others[0])) "
                + "\(ShellWord.quoted(missing[0].path)) && \(next.command)"
        case .needs(_, _, let missing, _, let next?):
            "Put the \(Wording.all(missing.map { "\($0.role) at \($0.path)" })), then type: \(next.command)"
        case .needs(_, _, let missing, _, nil):
            "Unpack it, put the missing files (\(Wording.all(missing.map(\.role)))) beside the others, and add the folder."
        case .missing: "Put it there, then run the same command."
        case .noVoice(_, _, _, let origin, let next), .noModel(_, _, _, let origin, let next):
            origin.map { "Get \($0.file) from \($0.from). Then type: \(next.command)" } ?? "Type: \(next.command)"
        case .severalModels(_, let choices): "Type one of: \(choices.map(\.command).joined(separator: "; "))"
        case .unsupported(_, let next): "To add them as voices of English, type: \(next.command) --language en-US"
        case .modelOnly(_, let model, _, let word):
            "Name files of voices after it, or type: synthhost models pull \(ShellWord.quoted(word))"
                + (model.precision.map { " --precision \($0)" } ?? "")
        case .severalFiles: "Name the files that are meant, one for each role, instead of their folder."
        case .deaf: "Put whole files of the right kind in their place, then run the same command."
        case .silent(_, let failure): failure.remedy
        }
    }

    private static func example(_ voices: [Voice]) -> String {
        voices.first.map { ", \(voices.count == 1 ? "" : "such as ")\($0.title)" } ?? ""
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

extension NextAddition {
    /// The command that adds the files.
    var command: String {
        var line = ["synthhost", "models", "add"] + paths
        if let language { line += ["--language", language] }
        if let engine { line += ["--engine", engine] }
        return line.map(ShellWord.quoted).joined(separator: " ")
    }
}

extension LeftOutVoices {
    /// "Alpha (Japanese) and 4 more".
    package var words: String {
        let more = titles.count - 1
        return (titles.first ?? "") + (more > 0 ? " and \(more) more" : "")
    }
}
