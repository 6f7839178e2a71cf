// swift-tools-version: 6.2
import PackageDescription

// The targets: kind, name, dependencies, and the folder if it is not the default. `Sources` contains libraries and programs; `Plugins`
// contains engines and their parts; `Tests` contains test suites, their shared code and the small programs that they start.
func named(_ names: [String]) -> [Target.Dependency] {
    names.flatMap { $0.split(separator: " ") }.map { .byName(name: String($0)) }
}
func library(_ name: String, _ uses: String..., in folder: String = "Sources") -> Target {
    .target(name: name, dependencies: named(uses), path: "\(folder)/\(name)")
}
// In a build by Scripts/fuzz, programs are libraries, so that the fuzzer can link them.
let fuzz = Context.environment["SYNTHHOST_FUZZ"]
func program(_ name: String, _ uses: String..., in folder: String = "Sources") -> Target {
    let (uses, path) = (named(uses), "\(folder)/\(name)")
    return fuzz == nil || folder == "Tests"
        ? .executableTarget(name: name, dependencies: uses, path: path)
        : .target(name: name, dependencies: uses, path: path)
}
func system(_ name: String, debian: String, pkgConfig: String? = nil, in folder: String = "Sources") -> Target {
    let packages = debian.split(separator: " ").map(String.init)
    return .systemLibrary(
        name: name, path: "\(folder)/\(name)", pkgConfig: pkgConfig, providers: [.apt(packages)])
}
func part(_ name: String, _ uses: String..., in folder: String? = nil) -> Target {
    .target(name: name, dependencies: named(uses), path: folder ?? "Plugins/Shared/\(name)")
}
func tests(_ name: String, _ uses: String...) -> Target {
    .testTarget(name: name, dependencies: named(uses + ["SynthSystem TestNumbers TestSupport"]), path: "Tests/\(name)")
}

// swift-format-ignore
var targets: [Target] = [
    // Layer 0: C.
    library("CSynthEngine"),
    library("CSynthLinux"),
    library("CSynthICU"),
    system("CSynthALSA", debian: "libasound2-dev", pkgConfig: "alsa"),
    system("CSynthArchive", debian: "libarchive-dev", pkgConfig: "libarchive"),
    system("CSynthCurl", debian: "libcurl4-openssl-dev", pkgConfig: "libcurl"),
    system("CSynthEBUR128", debian: "libebur128-dev"),
    system("CSynthMarkdown", debian: "libmd4c-dev"),
    library("CSynthOpus"),
    system("CSynthSampleRate", debian: "libsamplerate0-dev", pkgConfig: "samplerate"),
    system("CSynthSndFile", debian: "libsndfile1-dev"),
    system("CSynthSonic", debian: "libsonic-dev"),
    system("CSynthXML", debian: "libxml2-dev", pkgConfig: "libxml-2.0"),
    // Layer 1.
    library("SynthSystem", "CSynthLinux"),
    library("SynthJSON"),
    library("EngineKit", "CSynthEngine"),
    // Layer 2.
    library("SynthScript", "CSynthMarkdown SynthSystem"),
    library("SynthVerbalization", "CSynthICU SynthSystem"),
    library("SynthAudio", "CSynthALSA CSynthEBUR128 CSynthOpus CSynthSampleRate CSynthSndFile CSynthSonic SynthJSON SynthSystem"),
    library("SynthDocuments", "CSynthLinux SynthJSON SynthSystem"),
    library("SynthEngineWire", "CSynthLinux SynthSystem"),
    library("SynthCatalogue", "SynthJSON SynthSystem"),
    // Layer 3.
    library("SynthEngineLoading", "CSynthEngine SynthEngineWire SynthSystem"),
    library("SynthEngineProcesses", "CSynthLinux SynthEngineWire SynthSystem"),
    library("SynthModelStore", "CSynthLinux SynthCatalogue SynthJSON SynthSystem"),
    library("SynthHTTPServer", "SynthJSON SynthSystem"),
    library("SynthTerminal", "CSynthLinux SynthJSON SynthSystem"),
    // Layer 4.
    library("SynthArchives", "CSynthArchive SynthCatalogue SynthModelStore SynthSystem"),
    library("SynthSpeech", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthJSON SynthScript SynthSystem",
        "SynthVerbalization"),
    library("SynthListening", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthJSON SynthScript SynthSystem"),
    // Layer 5.
    library("SynthBooks", "CSynthLinux SynthAudio SynthDocuments SynthJSON SynthScript SynthSpeech SynthSystem"),
    library("SynthUserVoices", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthJSON SynthListening",
        "SynthModelStore SynthScript SynthSpeech SynthSystem SynthVerbalization"),
    // Layer 6.
    library("SynthHost", "SynthAudio SynthBooks SynthCatalogue SynthDocuments SynthListening SynthScript SynthSpeech SynthSystem SynthUserVoices"),
    // Layer 7.
    library("SynthHostTesting", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthHost SynthListening SynthScript",
        "SynthSystem"),
    library("SynthService", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthHost SynthJSON SynthListening",
        "SynthSystem"),
    // Layer 8: the command-line syntax, and the services.
    library("SynthCommandSyntax", "SynthAudio SynthBooks SynthCatalogue SynthDocuments SynthEngineProcesses SynthEngineWire SynthHost",
        "SynthHTTPServer SynthListening SynthModelStore SynthScript SynthSystem SynthTerminal"),
    library("SynthWyoming", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthHost SynthJSON SynthService SynthSystem"),
    library("SynthWeb", "SynthAudio SynthCatalogue SynthDocuments SynthEngineProcesses SynthEngineWire SynthHost SynthHTTPServer",
        "SynthJSON SynthListening SynthService SynthSystem"),
    // Layer 9.
    library("SynthSpeechDispatcher", "CSynthLinux SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthHost",
        "SynthModelStore SynthScript SynthService SynthSystem SynthWyoming"),
    // Layer 10: the programs.
    program("synthhost-cli", "CSynthEngine CSynthICU CSynthLinux SynthAudio SynthBooks SynthCatalogue SynthCommandSyntax",
        "SynthDocuments SynthEngineProcesses SynthEngineWire SynthHost SynthHTTPServer SynthJSON SynthListening SynthScript",
        "SynthService SynthSpeechDispatcher SynthSystem SynthTerminal SynthWeb SynthWyoming"),
    program("synthhost-speechd", "SynthSpeechDispatcher"),
    program("synthhost-worker", "CSynthEngine CSynthLinux SynthEngineLoading SynthEngineWire SynthSystem"),
    program("synthhost-check", "CSynthEngine CSynthLinux SynthEngineLoading SynthEngineProcesses SynthEngineWire SynthSystem"),
    program("synthhost-read", "CSynthArchive CSynthLinux CSynthXML SynthDocuments SynthJSON SynthScript SynthSystem"),
    program("synthhost-fetch", "CSynthCurl CSynthLinux SynthArchives SynthCatalogue SynthJSON SynthModelStore SynthSystem"),
    // The engines.
    system("CSynthEspeakNG", debian: "libespeak-ng-dev", pkgConfig: "espeak-ng", in: "Plugins/Shared"),
    part("CSynthSilentAudio"), part("SynthSymbols", "EngineKit"), part("CSynthFileHoles"), part("CSynthHibari"), part("CSynthEnglish"),
    part("SynthEnglish", "CSynthEnglish EngineKit"), part("SynthGraphs", "CSynthFileHoles"),
    part("SynthPhonemes", "CSynthEspeakNG CSynthSilentAudio SynthSymbols"),
    part("SynthEspeakNG", "CSynthEngine CSynthEspeakNG CSynthSilentAudio EngineKit SynthPhonemes", in: "Plugins/EspeakNG"),
    part("SynthHibari", "CSynthHibari EngineKit SynthEnglish SynthGraphs SynthSymbols", in: "Plugins/Hibari"),
    part("SynthHibariEntry", "CSynthEngine EngineKit SynthHibari", in: "Plugins/Hibari/Entry"),
    part("SynthTone", "CSynthEngine", in: "Plugins/Tone"),
    // The tests, one target per module; EngineKitTests also contains the tests for EspeakNG and Tone.
    library("TestNumbers", in: "Tests"), library("TestSupport", "CSynthEngine CSynthLinux SynthSystem", in: "Tests"),
    library("CommandSupport", "SynthAudio synthhost-cli SynthSystem SynthTerminal TestSupport", in: "Tests"),
    tests("CSynthEngineTests"), tests("JSONTests", "SynthJSON"), tests("EngineKitTests", "CSynthEngine EngineKit"),
    library("VoiceChecks", "EngineKit SynthEnglish SynthHibari SynthSymbols", in: "Tests"),
    tests("HibariTests", "CSynthEngine CSynthHibari EngineKit SynthEnglish SynthGraphs SynthHibari SynthSymbols VoiceChecks"),
    library("FrameChecks", "SynthEngineProcesses SynthEngineWire SynthSystem", in: "Tests"),
    tests("EngineWireTests", "FrameChecks SynthEngineWire"),
    tests("DocumentTests", "CSynthArchive SynthDocuments synthhost-read"),
    tests("BooksTests", "SynthAudio SynthBooks SynthDocuments SynthScript SynthSpeech"),
    library("ScriptChecks", "SynthScript", in: "Tests"),
    tests("SpeechScriptTests", "ScriptChecks SynthScript"),
    program("WordsProbe", "SynthHost SynthScript", in: "Tests"), library("WordChecks", "SynthScript SynthVerbalization", in: "Tests"),
    tests("VerbalizationTests", "SynthVerbalization WordChecks"), tests("SynthAudioTests", "SynthAudio"),
    tests("EngineProcessesTests", "CommandSupport CSynthLinux SynthEngineProcesses SynthEngineWire"),
    tests("RecognizersTests", "SynthAudio SynthEngineProcesses SynthEngineWire SynthListening"),
    tests("ListeningTests", "SynthAudio SynthEngineProcesses SynthEngineWire SynthListening"),
    tests("EngineChecksTests", "CommandSupport SynthCommandSyntax SynthEngineProcesses SynthEngineWire synthhost-check synthhost-cli"),
    program("StoreProbe", "SynthArchives SynthCatalogue SynthModelStore SynthSystem", in: "Tests"),
    tests("ModelStoreTests", "CSynthArchive StoreProbe SynthArchives SynthCatalogue synthhost-fetch SynthModelStore"),
    tests("CatalogueTests", "SynthCatalogue SynthJSON SynthModelStore"),
    tests("SynthHostTests", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthHost SynthHostTesting",
        "SynthJSON SynthListening SynthModelStore SynthScript SynthSpeech SynthUserVoices"),
    tests("SpeechServiceTests", "SynthAudio SynthCatalogue SynthDocuments SynthEngineProcesses SynthEngineWire",
        "SynthHost synthhost-read SynthHostTesting SynthHTTPServer SynthJSON SynthListening SynthModelStore",
        "SynthScript SynthService SynthSpeech SynthSpeechDispatcher SynthUserVoices SynthWeb SynthWyoming"),
    program("HTTPProbe", "SynthHTTPServer SynthWeb", in: "Tests"),
    tests("SynthHostTestingTests", "SynthHost SynthHostTesting"),
    tests("TerminalTests", "SynthTerminal"), tests("EngineLoadingTests", "SynthEngineLoading SynthEngineWire"),
    tests("ScriptTests", "SynthEngineProcesses SynthEngineWire"),
    program("LaneProbe", "SynthEngineProcesses SynthEngineWire TestNumbers", in: "Tests"),
    program("PhonemesProbe", "SynthPhonemes SynthSymbols", in: "Tests"), program("HibariProbe", "CSynthHibari EngineKit SynthHibari", in: "Tests"),
    library("SpokenRows", "SynthHost SynthScript", in: "Tests"),
    tests("PhonemesTests", "SpokenRows SynthPhonemes SynthSymbols"), tests("EnglishTests", "EngineKit SynthEnglish"),
    tests("CommandTests", "CommandSupport SynthAudio SynthBooks SynthCatalogue SynthCommandSyntax SynthDocuments SynthEngineProcesses",
        "SynthEngineWire SynthHost SynthHostTesting SynthHTTPServer synthhost-cli SynthModelStore SynthScript",
        "SynthService SynthSpeech SynthTerminal SynthUserVoices SynthWeb"),
    tests("ProgramTests", "CommandSupport SynthAudio SynthCatalogue SynthDocuments synthhost-cli synthhost-speechd SynthWyoming"),
]
var engines = ["EspeakNG", "Hibari", "Tone"]

// Not every distribution packages ONNX Runtime. Scripts/onnxruntime prints its folder; all other targets build without
// it. The folder is in an environment variable, because SwiftPM rereads the manifest if a variable changes, but not if
// a file changes.
let runtime = Context.environment["SYNTHHOST_ONNXRUNTIME"] ?? ""
// swift-format-ignore
let neural: [Target] = [
    system("CSynthONNXRuntime", debian: "libonnxruntime-dev", pkgConfig: "libonnxruntime", in: "Plugins/Shared"),
    part("CSynthVectorKernels"), part("SynthONNXRuntime", "CSynthONNXRuntime SynthGraphs"),
    part("SynthGraphRewriting", "CSynthONNXRuntime CSynthVectorKernels SynthGraphs SynthONNXRuntime"),
    part("SynthInference", "CSynthONNXRuntime SynthGraphRewriting SynthGraphs SynthONNXRuntime"),
    part("SynthRecognizerParts", "SynthInference"), library("TinyModels", "SynthInference TestNumbers", in: "Tests"),
    part("SynthPiper", "CSynthEngine EngineKit SynthInference SynthJSON SynthPhonemes SynthSymbols", in: "Plugins/Piper"),
    part("SynthKokoro", "CSynthArchive CSynthEngine EngineKit SynthEnglish SynthInference SynthPhonemes SynthSymbols",
        in: "Plugins/Kokoro"),
    part("SynthWhisper", "CSynthEngine EngineKit SynthInference SynthJSON SynthRecognizerParts", in: "Plugins/Whisper"),
    tests("WhisperTests", "CSynthEngine EngineKit SynthInference SynthRecognizerParts SynthWhisper"),
    part("SynthParakeet", "EngineKit SynthInference SynthJSON SynthRecognizerParts", in: "Plugins/Parakeet"),
    part("SynthParakeetEntry", "CSynthEngine EngineKit SynthParakeet", in: "Plugins/Parakeet/Entry"),
    tests("ParakeetTests", "CSynthEngine EngineKit SynthInference SynthParakeet SynthRecognizerParts"),
    program("ParakeetProbe", "EngineKit SynthParakeet", in: "Tests"),
    part("SynthSilero", "EngineKit SynthInference", in: "Plugins/Silero"),
    part("SynthSileroEntry", "CSynthEngine EngineKit SynthSilero", in: "Plugins/Silero/Entry"),
    tests("SileroTests", "CSynthEngine SynthInference SynthSilero TinyModels"),
    program("SileroProbe", "SynthSilero", in: "Tests"), program("WhisperProbe", "SynthWhisper", in: "Tests"),
    tests("KokoroTests", "CommandSupport CSynthEngine EngineKit SpokenRows SynthGraphs synthhost-cli SynthInference SynthKokoro",
        "SynthEnglish SynthPhonemes SynthSymbols"),
    program("KokoroProbe", "SynthEnglish SynthKokoro SynthPhonemes SynthSymbols", in: "Tests"),
    tests("InferenceTests", "CSynthVectorKernels SynthGraphRewriting SynthGraphs SynthInference TinyModels"),
    tests("PiperTests", "CommandSupport CSynthEngine SynthGraphs SynthInference SynthPhonemes TinyModels"),
]
if !runtime.isEmpty {
    targets += neural
    engines += ["Kokoro", "Parakeet", "Piper", "Silero", "Whisper"]
}
// An engine's entry point is in the engine's target, or in a target whose code is in the folder `Entry`.
@MainActor func entry(of engine: String) -> String {
    targets.contains { $0.name == "Synth\(engine)Entry" } ? "Synth\(engine)Entry" : "Synth\(engine)"
}
// The checks for all parsers of external data are tests or, for Scripts/fuzz, a program with libFuzzer's entry point,
// which no other build can link. "few" omits the parsers that depend on most of the program.
let (readsHost, readsModels) = (fuzz != "few", fuzz != "few" && !runtime.isEmpty)
var readers = "SynthDocuments SynthHTTPServer synthhost-read SynthJSON SynthScript SynthVerbalization"
if readsHost {
    readers += " SynthAudio SynthBooks SynthCatalogue SynthEngineWire SynthListening SynthModelStore SynthSpeech"
    readers += " synthhost-cli SynthCommandSyntax SynthSpeechDispatcher SynthUserVoices SynthWyoming"
}
if readsModels { readers += " EngineKit SynthGraphRewriting SynthGraphs SynthKokoro SynthParakeet SynthWhisper" }
// swift-format-ignore
targets += fuzz == nil ? [tests("ParserTests", readers)]
    : [library("CFuzzMain", in: "Tests"), program("ParserTests", "SynthSystem " + readers, "CFuzzMain FrameChecks ScriptChecks VoiceChecks WordChecks", in: "Tests")]

let package = Package(
    name: "synthhost",
    products: [
        .library(name: "SynthHost", targets: ["SynthHost"]),
        .library(name: "SynthHostTesting", targets: ["SynthHostTesting"]),
        .library(name: "EngineKit", targets: ["EngineKit"]),
        .executable(name: "synthhost", targets: ["synthhost-cli"]),
        .executable(name: "sd_synthhost", targets: ["synthhost-speechd"]),
    ] + ["check", "fetch", "read", "worker"].map { .executable(name: "synthhost-\($0)", targets: ["synthhost-\($0)"]) }
        + engines.map { .library(name: $0, type: .dynamic, targets: [entry(of: $0)]) }
        + (runtime.isEmpty ? [] : [.library(name: "ONNXInference", targets: ["SynthInference"])]),
    targets: targets,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// Tables, the web page and the guides are read from the folder in which they are installed.
var excluded = [
    "SynthVerbalization": ["Languages"], "SynthWeb": ["Page"], "SynthGraphRewriting": ["README.md"],
    "synthhost-cli": ["Guides"] + (fuzz == nil ? [] : ["Program.swift"]), "CSynthOpus": ["headers"],
    "CSynthEnglish": ["Data"], "CSynthEngineTests": ["Layout"], "EnglishTests": ["Tables"],
    "VerbalizationTests": ["Tables"], "synthhost-read": fuzz == nil ? [] : ["main.swift"],
    "ParserTests": [fuzz == nil ? "Fuzzer.swift" : "CorpusTests.swift"] + (readsHost ? [] : ["Host"])
        + (readsModels ? [] : ["ModelChecks.swift"]),
]
for engine in engines where engine != "Tone" {
    excluded["Synth\(engine)"] = ["LICENSE", "README.md"] + (entry(of: engine) == "Synth\(engine)" ? [] : ["Entry"])
}
// Modules that are optimized even in debug builds. Otherwise, tests that loop over millions of samples, numbers or
// lines would take minutes.
let optimizedInDebug: Set = [
    "SynthAudio", "SynthEnglish", "SynthGraphRewriting", "SynthGraphs", "SynthInference", "SynthJSON", "SynthKokoro",
    "SynthParakeet", "SynthPhonemes", "SynthRecognizerParts", "SynthWhisper", "TestSupport", "TinyModels",
]
// Modules that compute audio or process long texts are built for speed. Everything else waits for users, files, sockets and
// ONNX Runtime: built for size, it is just as responsive, takes half the time to compile, and makes the download smaller.
let builtForSpeed: Set = [
    "EngineKit", "SynthAudio", "SynthEnglish", "SynthHibari", "SynthJSON", "SynthParakeet", "SynthRecognizerParts",
    "SynthSilero", "SynthTone", "SynthVerbalization", "SynthWhisper",
]
// The user waits for the build that speaks the first sentence. It does not optimize these modules or those that use
// them; the full build compiles them again. A checkout that is used for tests builds them only once.
var waitsForTheWhole: Set = ["SynthBooks", "SynthHTTPServer", "SynthModelStore", "SynthService"]
let first = Context.environment["SYNTHHOST_FIRST"]

for target in package.targets where target.type != .system {
    let name = target.name
    let uses = target.dependencies.map { if case .byNameItem(let name, _) = $0 { name } else { "" } }
    if !waitsForTheWhole.isDisjoint(with: uses) { waitsForTheWhole.insert(name) }
    target.exclude = excluded[name] ?? []
    var flags: (debug: [String], release: [String]) = (optimizedInDebug.contains(name) ? ["-O"] : [], [])
    if !builtForSpeed.contains(name) {
        flags.release = [first == "quick" && waitsForTheWhole.contains(name) ? "-Onone" : "-Osize"]
    }
    // Tests mostly wait for the code that they test, so they are not optimized. Each test module is compiled only once.
    if target.type == .test { flags.release = ["-Onone", "-no-emit-module-separately-wmo"] }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(flags.debug, .when(configuration: .debug)),
        .unsafeFlags(flags.release, .when(configuration: .release)),
    ]
    switch name {
    case "ParserTests" where readsModels: target.swiftSettings?.append(.define("NEURAL"))
    case "CSynthOpus": target.cSettings = [.headerSearchPath("headers")]
    case "SynthTone": target.publicHeadersPath = "."
    case "CSynthEnglish", "CSynthHibari", "CSynthVectorKernels":
        target.cSettings = [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    // Tests run from the build folder. In a release, ONNX Runtime is next to the host's own libraries.
    case "SynthInference":
        let rpath = ["-Xlinker", "-rpath", "-Xlinker", "\(runtime)/lib"]
        target.linkerSettings = [.unsafeFlags(rpath, .when(configuration: .debug))]
    default: break
    }
    // Without a soname, the linker would write the build folder into an engine's file, and two builds would differ. An
    // engine exports only its entry point, so that the linker can remove unused functions.
    if fuzz == nil, let engine = engines.first(where: { name == entry(of: $0) }) {
        let entries = "\(Context.packageDirectory)/Plugins/Shared/entries.map"
        let options = ["-Xlinker", "-soname=lib\(engine).so", "-Xlinker", "--version-script=\(entries)"]
        target.linkerSettings = [.unsafeFlags(options, .when(configuration: .release))]
    }
}

// Keeps only the targets for one script, so that they are built in one run: `swift build` accepts a single product, and
// several consecutive runs would leave a processor idle.
@MainActor func keepOnly(_ targets: Set<String>, products: Set<String> = []) {
    var needed = targets
    package.products.removeAll { !products.contains($0.name) }
    // A target comes after the targets that it uses.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
}
if fuzz != nil { keepOnly(["ParserTests"]) }
// Builds only the programs for the first sentence: "quick" compiles them quickly, and "final" as a full build does.
if first != nil {
    let programs: Set = ["synthhost", "synthhost-worker", "EspeakNG"]
    keepOnly(["synthhost-cli", "synthhost-worker", "SynthEspeakNG"], products: programs)
}
