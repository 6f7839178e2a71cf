import EngineChecks

/// The options that only `engines validate` has.
enum ValidateOptions {
    static let list = Flag("list", "list the checks and leave")
    static let onlyFailed = Flag("only-failed", "show only what did not pass")
    static let include = Option("include", "REGEX", "only the checks whose names match", convert: pattern)
    static let exclude = Option("exclude", "REGEX", "leave out the checks whose names match", convert: pattern)
    static let voice = Option<String>("voice", short: "v", "ID", "the id of the voice that speaks in the checks")
    static let file = Option<CheckFile>(
        "file", "ROLE=PATH", "a file for a role of the engine", isRepeatable: true
    ) { text throws(ValueError) in
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex, text.index(after: equals) < text.endIndex
        else { throw ValueError(expectation: "a role and a path, such as model=voice.onnx") }
        return CheckFile(role: String(text[..<equals]), path: String(text[text.index(after: equals)...]))
    }
    static let limit = Option("limit", "TIME", "how long one check may take: 60s, 2m", convert: time)
    static let fuzz = Flag("fuzz", "speak random texts instead, in chunks")
    static let seed = Option("seed", "N", "the seed of the first chunk", convert: number)
    static let duration = Option("duration", "TIME", "how long to go on: 10s, 5m, 1h", convert: time)
    static let reproduce = Option("reproduce", "N", "run the chunk of this seed again", convert: number)

    static let all: [OptionDescription] = [
        list.description, onlyFailed.description, include.description, exclude.description, voice.description,
        file.description, limit.description, fuzz.description, seed.description, duration.description,
        reproduce.description, Options.json.description,
    ]

    static let rules: [UsageRule] = [
        .requires(.of(seed), .of(fuzz)), .requires(.of(duration), .of(fuzz)),
        .excludes(.of(fuzz), .of(include)), .excludes(.of(fuzz), .of(exclude)), .excludes(.of(fuzz), .of(reproduce)),
        .excludes(.of(fuzz), .of(list)), .excludes(.of(fuzz), .of(onlyFailed)),
        .excludesArguments(.of(list)),
    ]

    @Sendable private static func pattern(_ text: String) throws(ValueError) -> String {
        guard (try? Regex(text)) != nil else { throw ValueError(expectation: "a regular expression") }
        return text
    }

    @Sendable private static func number(_ text: String) throws(ValueError) -> UInt64 {
        guard let seed = UInt64(text) else { throw ValueError(expectation: "a whole number") }
        return seed
    }

    @Sendable private static func time(_ text: String) throws(ValueError) -> Duration {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600)]
        for (unit, seconds) in units where text.hasSuffix(unit) {
            guard let count = Double(text.dropLast(unit.count)), count > 0, count * seconds <= 86_400 else { continue }
            return .seconds(count * seconds)
        }
        throw ValueError(expectation: "a time with its unit, such as 10s, 5m or 1h")
    }
}
