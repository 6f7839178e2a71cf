import CSynthEngine
import EngineChecks
import EngineLoading
import EngineWire
import Glibc
import System

/// Files that are missing or damaged.
enum ModelFileChecks {
    static func missing(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        let ofModel = engine.required(SYNTH_SCOPE_MODEL)
        let ofVoice = engine.required(SYNTH_SCOPE_VOICE)
        guard !ofModel.isEmpty || !ofVoice.isEmpty else { return .skipped("It requires no file.") }
        if let voice = engine.voices().first, engine.voices().allSatisfy({ $0.source_count == 0 }) {
            return .skipped("Its own voices, such as \(known(voice.id) ?? "the first"), are built in.")
        }
        if !ofModel.isEmpty {
            let error = ErrorProbe()
            let (status, model) = engine.load(LoadRequest(id: bareVoice(engine).model), error)
            model?.unload()
            try expect(Answer(status, error), SYNTH_MISSING_FILE, roles: ofModel, "Without its files load")
        }
        guard !ofVoice.isEmpty else { return .passed("load names the file that is missing.") }
        let handed = Set(subject.job.files.map(\.role))
        guard ofModel.allSatisfy(handed.contains) else {
            return .passed("load names the file that is missing; the files of voices need those of the model.")
        }
        var choice = bareVoice(engine)
        choice.modelFiles = subject.job.files.filter { ofModel.contains($0.role) }
        try expect(
            try speak(choice, engine, subject), SYNTH_MISSING_FILE, roles: ofVoice,
            "Without the files of its voice synthesize")
        return .passed("It names the file that is missing.")
    }

    static func damaged(_ subject: Subject) throws(CheckFinding) -> CheckFinding {
        let engine = try subject.engine()
        let roles = engine.roles().filter { $0.flags & SYNTH_ROLE_OPTIONAL.rawValue == 0 }
        guard !roles.isEmpty else { return .skipped("It requires no file.") }
        let handed = Set(subject.job.files.map(\.role))
        let others = roles.compactMap { known($0.name) }
        var tried = 0
        for role in roles {
            guard let name = known(role.name) else { continue }
            // A damaged file is only noticed if all others are good.
            guard others.allSatisfy({ $0 == name || handed.contains($0) }) else { continue }
            let good = subject.job.files.first { $0.role == name }?.path
            for (kind, path) in try damages(role, good: good, subject) {
                tried += 1
                let files = subject.job.files.filter { $0.role != name } + [HandedFile(role: name, path: path)]
                try refuse(name, kind, files, engine, subject)
            }
        }
        guard tried > 0 else {
            let options = others.map { "--file \($0)=PATH" }.joined(separator: " ")
            return .skipped("One file can be damaged where the others are good; hand them over: \(options)")
        }
        return .passed("Damaged files: \(tried), each refused by its role.")
    }

    /// The engine must say which file is bad when it loads, or at the latest when it speaks.
    private static func refuse(
        _ role: String, _ kind: String, _ files: [HandedFile], _ engine: LoadedEngine, _ subject: Subject
    ) throws(CheckFinding) {
        var choice = bareVoice(engine)
        func of(_ scope: synth_scope) -> [HandedFile] {
            let names = engine.roles().filter { $0.scope == scope.rawValue }.compactMap { known($0.name) }
            return files.filter { names.contains($0.role) }
        }
        (choice.modelFiles, choice.voiceFiles) = (of(SYNTH_SCOPE_MODEL), of(SYNTH_SCOPE_VOICE))
        let error = ErrorProbe()
        subject.doing("it was handed \(kind) as “\(role)”")
        let (status, model) = engine.load(LoadRequest(id: choice.model, files: choice.modelFiles), error)
        if let model {
            model.unload()
            let answer = try speak(choice, engine, subject)
            try expect(answer, SYNTH_BAD_FILE, roles: [role], "Handed \(kind) as “\(role)”, it")
        } else {
            try expect(Answer(status, error), SYNTH_BAD_FILE, roles: [role], "Handed \(kind) as “\(role)”, load")
        }
    }

    private static func damages(
        _ role: synth_role, good: String?, _ subject: Subject
    ) throws(CheckFinding) -> [(String, String)] {
        if role.flags & SYNTH_ROLE_FOLDER.rawValue != 0 {
            let path = "\(subject.surroundings.own)/empty-folder"
            mkdir(path, 0o700)
            return [("an empty folder", path)]
        }
        var generator = SeededGenerator(seed: 1)
        let random = (0..<8192).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        let page = Array("<!DOCTYPE html><html><head><title>404</title></head><body>Not found</body></html>\n".utf8)
        var damages = [
            ("random bytes", try subject.write(random, to: "random")),
            ("an empty file", try subject.write([], to: "empty")),
            ("a web page", try subject.write(page, to: "page")),
        ]
        if let good, let bytes = try? readWholeFile(good, limit: 1 << 30), bytes.count > 1 {
            damages.append(("half of the file", try subject.write(Array(bytes.prefix(bytes.count / 2)), to: "half")))
        }
        return damages
    }

    private static func bareVoice(_ engine: LoadedEngine) -> VoiceChoice {
        // A voice that needs files.
        let voices = engine.voices()
        let voice = voices.first { $0.source_count > 0 } ?? voices.first
        let id = voice.flatMap { known($0.id) } ?? "validated"
        return VoiceChoice(
            id: id, model: voice.flatMap { known($0.model) } ?? id, modelFiles: [], voiceFiles: [])
    }

    private static func speak(
        _ choice: VoiceChoice, _ engine: LoadedEngine, _ subject: Subject
    ) throws(CheckFinding) -> Answer {
        let model = try engine.load(choice)
        let lane = try model.open()
        let error = ErrorProbe()
        let request = LaneRequest(
            .text(Session.sentence), language: nil,
            voices: [EngineWire.VoiceUse(id: choice.id, files: choice.voiceFiles)], rate: 1, pitch: 1, wants: [],
            serial: 1)
        subject.doing("it spoke with such a file")
        let status = lane.speak(request, to: RecordingSink(), error)
        lane.close()
        model.unload()
        return Answer(status, error)
    }

    /// The status and error of a call, copied from the buffer that it wrote to.
    private struct Answer {
        let status: synth_status
        let words: String
        let role: String?

        init(_ status: synth_status, _ error: borrowing ErrorProbe) {
            self.status = status
            words = error.words(status)
            role = error.role
        }
    }

    private static func expect(
        _ answer: Answer, _ wanted: synth_status, roles: [String], _ subject: String
    ) throws(CheckFinding) {
        guard answer.status == wanted else {
            throw .failed("\(subject) gave \(answer.words) instead of \(wanted.word).")
        }
        guard let role = answer.role, roles.contains(role) else {
            let named = answer.role.map { "“\($0)”" } ?? "NULL"
            throw .failed("\(subject) gave \(wanted.word), but error.role is \(named).")
        }
    }
}
