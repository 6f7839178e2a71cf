// swift-tools-version: 6.2
import PackageDescription

// The targets, one row each: what it is, its name, what it uses, and its folder if that has another name. Libraries and programs are
// in `Sources`; engines and their parts in `Plugins`; suites, what they share and the small programs that they start in `Tests`.
func named(_ names: [String]) -> [Target.Dependency] {
    names.flatMap { $0.split(separator: " ") }.map { .byName(name: String($0)) }
}
func library(_ name: String, _ uses: String..., in folder: String = "Sources") -> Target {
    .target(name: name, dependencies: named(uses), path: "\(folder)/\(name)")
}
func program(_ name: String, _ uses: String..., in folder: String = "Sources") -> Target {
    .executableTarget(name: name, dependencies: named(uses), path: "\(folder)/\(name)")
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
    // Floor 0: C.
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
    // Floor 1.
    library("SynthSystem", "CSynthLinux"),
    library("SynthJSON"),
    library("EngineKit", "CSynthEngine"),
    // Floor 2.
    library("SynthScript", "SynthSystem"),
    library("SynthVerbalization", "CSynthICU SynthSystem"),
    library("SynthAudio", "CSynthALSA CSynthEBUR128 CSynthOpus CSynthSampleRate CSynthSndFile CSynthSonic SynthJSON SynthSystem"),
    library("SynthDocuments", "CSynthLinux SynthJSON SynthSystem"),
    library("SynthEngineWire", "CSynthLinux SynthSystem"),
    library("SynthCatalogue", "SynthJSON SynthSystem"),
    // Floor 3.
    library("SynthEngineLoading", "CSynthEngine SynthEngineWire SynthSystem"),
    library("SynthEngineProcesses", "CSynthLinux SynthEngineWire SynthSystem"),
    library("SynthMarkup", "CSynthMarkdown SynthScript SynthSystem"),
    library("SynthModelStore", "CSynthLinux SynthCatalogue SynthJSON SynthSystem"),
    // Floor 4.
    library("SynthDocumentReading", "CSynthArchive CSynthXML SynthDocuments SynthJSON SynthMarkup SynthScript SynthSystem"),
    library("SynthEngines", "SynthEngineProcesses SynthEngineWire SynthSystem"),
    library("SynthRecognizers", "SynthEngineProcesses SynthEngineWire SynthSystem"),
    library("SynthArchives", "CSynthArchive SynthCatalogue SynthModelStore SynthSystem"),
    library("SynthHTTPServer", "SynthJSON SynthSystem"),
    library("SynthTerminal", "CSynthLinux SynthJSON SynthSystem"),
    // Floor 5.
    library("SynthEngineChecks", "CSynthLinux SynthEngineProcesses SynthEngines SynthEngineWire SynthSystem"),
    library("SynthSpeech", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthMarkup SynthScript",
        "SynthSystem SynthVerbalization"),
    library("SynthListening", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngineWire SynthJSON SynthRecognizers",
        "SynthScript SynthSystem"),
    // Floor 6.
    library("SynthSessions", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthJSON SynthScript",
        "SynthSpeech SynthSystem"),
    library("SynthBooks", "CSynthLinux SynthAudio SynthDocuments SynthJSON SynthScript SynthSpeech SynthSystem"),
    // Floor 7.
    library("SynthUserVoices", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthJSON SynthListening",
        "SynthModelStore SynthRecognizers SynthScript SynthSessions SynthSpeech SynthSystem SynthVerbalization"),
    // Floor 8.
    library("SynthHost", "SynthAudio SynthListening SynthScript SynthSessions SynthSpeech SynthSystem SynthUserVoices"),
    // Floor 9.
    library("SynthSentences", "SynthAudio SynthBooks SynthCatalogue SynthDocuments SynthEngineChecks SynthEngineProcesses",
        "SynthEngineWire SynthHost SynthModelStore SynthScript SynthSystem SynthTerminal"),
    library("SynthHostTesting", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthHost",
        "SynthListening SynthRecognizers SynthScript SynthSystem"),
    library("SynthService", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthHost SynthJSON",
        "SynthListening SynthRecognizers SynthSystem"),
    // Floor 10: what can be typed, and the doors to a service.
    library("SynthCommandSyntax", "SynthAudio SynthBooks SynthCatalogue SynthDocuments SynthEngineChecks SynthHost SynthHTTPServer",
        "SynthListening SynthSentences SynthSystem SynthTerminal"),
    library("SynthWyoming", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthHost SynthJSON",
        "SynthService SynthSystem"),
    library("SynthSpeechDispatcher", "SynthAudio SynthHost SynthScript SynthService SynthSystem"),
    library("SynthWeb", "SynthAudio SynthCatalogue SynthDocuments SynthEngineProcesses SynthEngines SynthEngineWire SynthHost",
        "SynthHTTPServer SynthJSON SynthListening SynthRecognizers SynthService SynthSystem"),
    // Floor 11.
    library("SynthModuleProgram", "CSynthLinux SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthHost",
        "SynthModelStore SynthScript SynthService SynthSpeechDispatcher SynthSystem SynthWyoming"),
    library("SynthCommandParts", "SynthAudio SynthBooks SynthCatalogue SynthCommandSyntax SynthEngineProcesses SynthEngineWire",
        "SynthHost SynthJSON SynthScript SynthSentences SynthSystem SynthTerminal"),
    // Floor 12: the commands that speak.
    library("SynthSpeakingCommands", "SynthAudio SynthBooks SynthCatalogue SynthCommandParts SynthCommandSyntax SynthDocuments",
        "SynthHost SynthJSON SynthScript SynthSentences SynthSystem SynthTerminal SynthWyoming"),
    // Floor 13: the programs.
    program("synthhost-cli", "CSynthEngine CSynthICU CSynthLinux SynthAudio SynthCatalogue SynthCommandParts SynthCommandSyntax",
        "SynthDocuments SynthEngineChecks SynthHost SynthHTTPServer SynthJSON SynthListening SynthMarkup SynthModuleProgram",
        "SynthScript SynthSentences SynthService SynthSpeakingCommands SynthSystem SynthTerminal SynthWeb SynthWyoming"),
    program("synthhost-speechd", "SynthModuleProgram"),
    program("synthhost-worker", "CSynthEngine CSynthLinux SynthEngineLoading SynthEngineWire SynthSystem"),
    program("synthhost-check", "CSynthEngine CSynthLinux SynthEngineChecks SynthEngineLoading SynthEngineProcesses SynthEngines",
        "SynthEngineWire SynthSystem"),
    program("synthhost-read", "CSynthLinux SynthDocumentReading SynthDocuments SynthJSON SynthMarkup SynthSystem"),
    program("synthhost-fetch", "CSynthCurl CSynthLinux SynthArchives SynthCatalogue SynthJSON SynthModelStore SynthSystem"),
    // The engines.
    system("CSynthEspeakNG", debian: "libespeak-ng-dev", pkgConfig: "espeak-ng", in: "Plugins/Shared"),
    part("CSynthSilentAudio"), part("SynthSymbols", "EngineKit"), part("CSynthFileHoles"), part("CSynthHibari"), part("CSynthEnglish"),
    part("SynthEnglish", "CSynthEnglish EngineKit"), part("SynthGraphs", "CSynthFileHoles"),
    part("SynthPhonemes", "CSynthEspeakNG CSynthSilentAudio SynthSymbols"),
    part("SynthEspeakNG", "CSynthEngine CSynthEspeakNG CSynthSilentAudio EngineKit SynthPhonemes", in: "Plugins/EspeakNG"),
    part("SynthSmallVoices", "CSynthHibari EngineKit SynthEnglish SynthGraphs SynthSymbols", in: "Plugins/Hibari"),
    part("SynthHibari", "CSynthEngine EngineKit SynthSmallVoices", in: "Plugins/Hibari/Entry"),
    part("SynthTone", "CSynthEngine", in: "Plugins/Tone"),
    // The tests, one row for each room; EngineKitTests has those of EspeakNG and Tone, too.
    library("TestNumbers", in: "Tests"),
    library("TestSupport", "CSynthEngine CSynthLinux SynthSystem", in: "Tests"),
    library("CommandSupport", "SynthAudio SynthCommandParts synthhost-cli SynthSystem SynthTerminal TestSupport", in: "Tests"),
    tests("CSynthEngineTests"), tests("JSONTests", "SynthJSON"), tests("EngineKitTests", "CSynthEngine EngineKit"),
    library("VoiceChecks", "EngineKit SynthEnglish SynthSmallVoices SynthSymbols", in: "Tests"),
    tests("HibariTests", "CSynthEngine CSynthHibari EngineKit SynthEnglish SynthGraphs SynthSmallVoices SynthSymbols VoiceChecks"),
    library("FrameChecks", "SynthEngineChecks SynthEngineProcesses SynthEngineWire SynthSystem", in: "Tests"),
    tests("EngineWireTests", "FrameChecks SynthEngineWire"),
    tests("DocumentTests", "CSynthArchive SynthDocumentReading SynthDocuments"),
    tests("BooksTests", "SynthAudio SynthBooks SynthDocuments SynthScript SynthSpeech"),
    library("ScriptChecks", "SynthMarkup SynthScript", in: "Tests"),
    tests("SpeechScriptTests", "ScriptChecks SynthMarkup SynthScript"),
    program("WordsProbe", "SynthHost SynthScript", in: "Tests"), library("WordChecks", "SynthScript SynthVerbalization", in: "Tests"),
    tests("VerbalizationTests", "SynthVerbalization WordChecks"), tests("SynthAudioTests", "SynthAudio"),
    tests("EngineProcessesTests", "CommandSupport CSynthLinux SynthEngineProcesses SynthEngines SynthEngineWire"),
    tests("RecognizersTests", "SynthAudio SynthEngineProcesses SynthEngineWire SynthListening SynthRecognizers"),
    tests("ListeningTests", "SynthAudio SynthEngineProcesses SynthEngineWire SynthListening SynthRecognizers"),
    tests("EngineChecksTests", "CommandSupport SynthEngineChecks SynthEngineWire synthhost-check synthhost-cli SynthSentences"),
    program("StoreProbe", "SynthArchives SynthCatalogue SynthModelStore SynthSystem", in: "Tests"),
    tests("ModelStoreTests", "CSynthArchive StoreProbe SynthArchives SynthCatalogue synthhost-fetch SynthModelStore"),
    tests("CatalogueTests", "SynthCatalogue SynthJSON SynthModelStore"),
    tests("SynthHostTests", "SynthAudio SynthCatalogue SynthEngineProcesses SynthEngines SynthEngineWire SynthHost SynthHostTesting",
        "SynthJSON SynthListening SynthModelStore SynthRecognizers SynthScript SynthSessions SynthSpeech SynthUserVoices"),
    tests("SpeechServiceTests", "SynthAudio SynthCatalogue SynthDocuments SynthEngineProcesses SynthEngines SynthEngineWire",
        "SynthHost synthhost-read SynthHostTesting SynthHTTPServer SynthJSON SynthListening SynthModelStore SynthRecognizers",
        "SynthScript SynthService SynthSpeech SynthSpeechDispatcher SynthUserVoices SynthWeb SynthWyoming"),
    program("HTTPProbe", "SynthHTTPServer SynthWeb", in: "Tests"),
    tests("SynthHostTestingTests", "SynthHost SynthHostTesting"),
    tests("TerminalTests", "SynthTerminal"), tests("EngineLoadingTests", "SynthEngineLoading SynthEngineWire"),
    tests("ScriptTests", "SynthEngineChecks SynthEngineWire"),
    program("LaneProbe", "SynthEngineProcesses SynthEngines SynthEngineWire TestNumbers", in: "Tests"),
    program("PhonemesProbe", "SynthPhonemes SynthSymbols", in: "Tests"),
    program("HibariProbe", "CSynthHibari EngineKit SynthSmallVoices", in: "Tests"),
    library("SpokenRows", "SynthHost SynthScript", in: "Tests"),
    tests("PhonemesTests", "SpokenRows SynthPhonemes SynthSymbols"), tests("EnglishTests", "EngineKit SynthEnglish"),
    tests("CommandTests", "CommandSupport SynthAudio SynthBooks SynthCatalogue SynthCommandParts SynthCommandSyntax SynthDocuments",
        "SynthEngineChecks SynthEngineProcesses SynthEngineWire SynthHost SynthHostTesting SynthHTTPServer synthhost-cli SynthModelStore",
        "SynthScript SynthSentences SynthService SynthSpeakingCommands SynthSpeech SynthTerminal SynthUserVoices SynthWeb"),
    tests("ProgramTests", "CommandSupport SynthAudio SynthCatalogue SynthDocuments synthhost-cli synthhost-speechd SynthWyoming"),
]
var engines = ["EspeakNG", "Hibari", "Tone"]

// ONNX Runtime is not packaged everywhere. Scripts/onnxruntime prints the folder that it is in; everything else builds
// without it. A variable and no look at the file system, because only a variable has the manifest read again.
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
    part("SynthTransducers", "EngineKit SynthInference SynthJSON SynthRecognizerParts", in: "Plugins/Parakeet"),
    part("SynthParakeet", "CSynthEngine EngineKit SynthTransducers", in: "Plugins/Parakeet/Entry"),
    tests("ParakeetTests", "CSynthEngine EngineKit SynthInference SynthRecognizerParts SynthTransducers"),
    program("ParakeetProbe", "EngineKit SynthTransducers", in: "Tests"),
    part("SynthSpeechDetection", "EngineKit SynthInference", in: "Plugins/Silero"),
    part("SynthSilero", "CSynthEngine EngineKit SynthSpeechDetection", in: "Plugins/Silero/Entry"),
    tests("SileroTests", "CSynthEngine SynthInference SynthSpeechDetection TinyModels"),
    program("SileroProbe", "SynthSpeechDetection", in: "Tests"), program("WhisperProbe", "SynthWhisper", in: "Tests"),
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
// libFuzzer has an entry of its own, which no other build can link. Scripts/fuzz builds these targets.
let fuzzers = ["ScriptFuzz", "WordFuzz", "FrameFuzz", "VoiceFuzz"]
let fuzzes = Context.environment["SYNTHHOST_FUZZ"] != nil
if fuzzes {
    targets.append(library("CFuzzMain", in: "Tests"))
    targets += fuzzers.map { program($0, "CFuzzMain \($0.dropLast(4))Checks", in: "Tests") }
}

let package = Package(
    name: "synthhost",
    products: [
        .library(name: "SynthHost", targets: ["SynthHost"]),
        .library(name: "SynthHostTesting", targets: ["SynthHostTesting"]),
        .library(name: "EngineKit", targets: ["EngineKit"]),
        .executable(name: "synthhost", targets: ["synthhost-cli"]),
        .executable(name: "sd_synthhost", targets: ["synthhost-speechd"]),
    ] + ["check", "fetch", "read", "worker"].map { .executable(name: "synthhost-\($0)", targets: ["synthhost-\($0)"]) }
        + engines.map { .library(name: $0, type: .dynamic, targets: ["Synth\($0)"]) }
        + (runtime.isEmpty ? [] : [.library(name: "ONNXInference", targets: ["SynthInference"])]),
    targets: targets,
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// Tables, the page and the guides are read where they are installed.
let excluded = [
    "SynthVerbalization": ["Languages"], "SynthWeb": ["Page"], "synthhost-cli": ["Guides"], "CSynthOpus": ["headers"],
    "CSynthEnglish": ["Data"], "CSynthEngineTests": ["Layout"], "EnglishTests": ["Tables"],
    "VerbalizationTests": ["Tables"], "SynthSmallVoices": ["Entry", "LICENSE", "README.md"],
    "SynthEspeakNG": ["LICENSE", "README.md"], "SynthKokoro": ["LICENSE", "README.md"],
    "SynthPiper": ["LICENSE", "README.md"], "SynthWhisper": ["LICENSE", "README.md"],
    "SynthSpeechDetection": ["Entry", "LICENSE", "README.md"], "SynthTransducers": ["Entry", "LICENSE", "README.md"],
]
// Loops over millions of samples, numbers or lines take tests minutes without the optimizer, as CSynthVectorKernels does.
let optimizedInDebug: Set = [
    "SynthAudio", "SynthEnglish", "SynthGraphRewriting", "SynthGraphs", "SynthInference", "SynthJSON", "SynthKokoro",
    "SynthPhonemes", "SynthRecognizerParts", "SynthTransducers", "SynthWhisper", "TestSupport", "TinyModels",
]
// What computes sound or reads long texts is built for speed. All else waits for people, files and sockets: built for size, it is
// as quick to use, takes half the time to compile, and fits into a smaller download.
let builtForSpeed: Set = [
    "EngineKit", "SynthAudio", "SynthEngineWire", "SynthJSON", "SynthMarkup", "SynthScript", "SynthSessions",
    "SynthSpeech", "SynthSystem", "SynthVerbalization",
]
// The build of the first sentence, which somebody waits for, does not optimize these, nor what uses them; the build of the whole
// compiles them again. A checkout whose tests run builds them once.
var waitsForTheWhole: Set = ["SynthBooks", "SynthEngineChecks", "SynthHTTPServer", "SynthModelStore", "SynthService"]
let first = Context.environment["SYNTHHOST_FIRST"]

for target in package.targets where target.type != .system {
    let (name, path) = (target.name, target.path ?? "")
    let uses = target.dependencies.map { if case .byNameItem(let name, _) = $0 { name } else { "" } }
    if !waitsForTheWhole.isDisjoint(with: uses) { waitsForTheWhole.insert(name) }
    target.exclude = excluded[name] ?? []
    var flags: (debug: [String], release: [String]) = (optimizedInDebug.contains(name) ? ["-O"] : [], [])
    if path.hasPrefix("Sources"), !builtForSpeed.contains(name) {
        flags.release = [first == "quick" && waitsForTheWhole.contains(name) ? "-Onone" : "-Osize"]
    }
    // Tests mostly wait for what they test, and each is compiled once, in one go.
    if target.type == .test { flags.release = ["-Onone", "-no-emit-module-separately-wmo"] }
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .unsafeFlags(flags.debug, .when(configuration: .debug)),
        .unsafeFlags(flags.release, .when(configuration: .release)),
    ]
    switch name {
    case "CSynthOpus": target.cSettings = [.headerSearchPath("headers")]
    case "SynthTone": target.publicHeadersPath = "."
    case "CSynthEnglish", "CSynthHibari", "CSynthVectorKernels":
        target.cSettings = [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    // Tests run from the build folder; a release finds the library beside the host's own.
    case "SynthInference":
        let rpath = ["-Xlinker", "-rpath", "-Xlinker", "\(runtime)/lib"]
        target.linkerSettings = [.unsafeFlags(rpath, .when(configuration: .debug))]
    default: break
    }
    // Without a soname the linker writes the folder of the build into an engine's file, and two builds would differ. An engine exports
    // its entry alone, so that the linker removes functions that nothing calls.
    if let engine = engines.first(where: { name == "Synth\($0)" }) {
        let entries = "\(Context.packageDirectory)/Plugins/Shared/entries.map"
        let options = ["-Xlinker", "-soname=lib\(engine).so", "-Xlinker", "--version-script=\(entries)"]
        target.linkerSettings = [.unsafeFlags(options, .when(configuration: .release))]
    }
}

// What one script needs, built in one go: `swift build` takes one product, and several one after the other leave a processor idle.
@MainActor func keepOnly(_ targets: Set<String>, products: Set<String> = []) {
    var needed = targets
    package.products.removeAll { !products.contains($0.name) }
    // A row comes after those that it uses.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
}
if fuzzes { keepOnly(Set(fuzzers)) }
// What speaks the first sentence: "quick" to compile, or "final".
if first != nil {
    let programs: Set = ["synthhost", "synthhost-worker", "EspeakNG"]
    keepOnly(["synthhost-cli", "synthhost-worker", "SynthEspeakNG"], products: programs)
}
