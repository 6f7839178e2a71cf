// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "synthhost",
    products: [
        .library(name: "SynthHost", targets: ["SynthHost"]),
        .library(name: "SynthHostTesting", targets: ["SynthHostTesting"]),
        .library(name: "EngineKit", targets: ["EngineKit"]),
        .executable(name: "synthhost", targets: ["synthhost-cli"]),
        .executable(name: "sd_synthhost", targets: ["synthhost-speechd"]),
        .executable(name: "synthhost-worker", targets: ["synthhost-worker"]),
        .executable(name: "synthhost-check", targets: ["synthhost-check"]),
        .executable(name: "synthhost-fetch", targets: ["synthhost-fetch"]),
        .executable(name: "synthhost-read", targets: ["synthhost-read"]),
        .library(name: "EspeakNG", type: .dynamic, targets: ["EspeakNG"]),
        .library(name: "Tone", type: .dynamic, targets: ["Tone"]),
    ],
    targets: [
        // Floor 0: C.
        .target(name: "CSynthEngine"),
        .target(name: "CLinux"),
        .target(name: "CICU"),
        .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CEBUR128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(
            name: "CMarkGFM", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .target(name: "COpus", exclude: ["headers"], cSettings: [.headerSearchPath("headers")]),
        .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
        .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        // Floor 1.
        .target(name: "System", dependencies: ["CLinux"]),
        .target(
            name: "LocatedJSON",
            // Many tests read the whole registry.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(name: "EngineKit", dependencies: ["CSynthEngine"]),
        .target(name: "SpeechScript"),
        // Floor 2.
        .target(name: "SpeechMarkup", dependencies: ["CMarkGFM", "SpeechScript", "System"]),
        // The languages' tables are read where they are installed.
        .target(name: "Verbalization", dependencies: ["CICU", "System"], exclude: ["Languages"]),
        .target(
            name: "SynthAudio",
            dependencies: ["CALSA", "CEBUR128", "COpus", "CSampleRate", "CSndFile", "CSonic", "LocatedJSON", "System"],
            // Loops over millions of samples take tests minutes otherwise.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(name: "Documents", dependencies: ["CLinux", "LocatedJSON", "System"]),
        .target(name: "EngineWire", dependencies: ["CLinux", "System"]),
        .target(name: "VoiceCatalogue", dependencies: ["LocatedJSON", "System"]),
        // Floor 3.
        .target(name: "DocumentReading", dependencies: ["CArchive", "CXML", "Documents", "SpeechMarkup", "System"]),
        .target(name: "EngineLoading", dependencies: ["CSynthEngine", "EngineWire", "System"]),
        .target(name: "EngineProcesses", dependencies: ["CLinux", "EngineWire", "System"]),
        .target(name: "ModelStore", dependencies: ["CLinux", "LocatedJSON", "System", "VoiceCatalogue"]),
        // Floor 4.
        .target(name: "SpeechEngines", dependencies: ["EngineProcesses", "EngineWire", "System"]),
        .target(name: "Recognizers", dependencies: ["EngineProcesses", "EngineWire", "System"]),
        .target(name: "Archives", dependencies: ["CArchive", "ModelStore", "System", "VoiceCatalogue"]),
        .target(name: "HTTPServer", dependencies: ["System"]),
        .target(name: "Terminal", dependencies: ["CLinux", "LocatedJSON", "System"]),
        // Floor 5.
        .target(
            name: "EngineChecks", dependencies: ["CLinux", "EngineProcesses", "EngineWire", "SpeechEngines", "System"]),
        .target(
            name: "Synthesis",
            dependencies: [
                "EngineProcesses", "EngineWire", "SpeechEngines", "SpeechMarkup", "SpeechScript", "SynthAudio",
                "System", "Verbalization", "VoiceCatalogue",
            ]),
        .target(
            name: "Listening",
            dependencies: [
                "EngineProcesses", "EngineWire", "LocatedJSON", "Recognizers", "SynthAudio", "System", "VoiceCatalogue",
            ]),
        // Floor 6.
        .target(
            name: "SpeechSessions",
            dependencies: [
                "EngineProcesses", "EngineWire", "LocatedJSON", "SpeechEngines", "SpeechScript", "SynthAudio",
                "Synthesis", "System", "VoiceCatalogue",
            ]),
        .target(
            name: "Books",
            dependencies: [
                "CLinux", "Documents", "LocatedJSON", "SpeechScript", "SynthAudio", "Synthesis", "System",
            ]),
        // Floor 7.
        .target(
            name: "UserVoices",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "LocatedJSON", "ModelStore", "Recognizers",
                "SpeechEngines", "SpeechScript", "SpeechSessions", "SynthAudio", "Synthesis", "System", "Verbalization",
                "VoiceCatalogue",
            ]),
        // Floor 8.
        .target(
            name: "SynthHost",
            dependencies: [
                "Listening", "SpeechScript", "SpeechSessions", "SynthAudio", "Synthesis", "System", "UserVoices",
            ]),
        // Floor 9.
        .target(
            name: "Sentences",
            dependencies: [
                "Books", "Documents", "EngineChecks", "EngineProcesses", "EngineWire", "ModelStore", "SpeechScript",
                "SynthAudio",
                "SynthHost", "System", "Terminal", "VoiceCatalogue",
            ]),
        .target(
            name: "SynthHostTesting",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "Recognizers", "SpeechEngines", "SpeechScript",
                "SynthAudio", "SynthHost", "System", "VoiceCatalogue",
            ]),
        .target(
            name: "SpeechService",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "LocatedJSON", "Recognizers", "SpeechEngines",
                "SynthAudio",
                "SynthHost", "System", "VoiceCatalogue",
            ]),
        // Floor 10: what can be typed, and the doors to a service.
        .target(
            name: "CommandSyntax",
            dependencies: [
                "Books", "Documents", "EngineChecks", "HTTPServer", "Listening", "Sentences", "SynthAudio", "SynthHost",
                "System", "Terminal",
                "VoiceCatalogue",
            ]),
        .target(
            name: "Wyoming",
            dependencies: [
                "EngineProcesses", "EngineWire", "LocatedJSON", "SpeechEngines", "SpeechService", "SynthAudio",
                "SynthHost", "System", "VoiceCatalogue",
            ]),
        .target(
            name: "SpeechDispatcher",
            dependencies: ["SpeechScript", "SpeechService", "SynthAudio", "SynthHost", "System"]),
        .target(
            name: "Web",
            dependencies: [
                "Documents", "EngineProcesses", "EngineWire", "HTTPServer", "Listening", "LocatedJSON", "SpeechEngines",
                "SpeechService", "SynthAudio", "SynthHost", "System", "VoiceCatalogue",
            ],
            // The page is read where it is installed.
            exclude: ["Page"]),
        // Floor 11.
        .target(
            name: "ModuleProgram",
            dependencies: [
                "CLinux", "EngineProcesses", "EngineWire", "ModelStore", "SpeechDispatcher", "SpeechEngines",
                "SpeechScript", "SpeechService", "SynthHost", "System", "VoiceCatalogue", "Wyoming",
            ]),
        .target(
            name: "CommandParts",
            dependencies: [
                "Books", "CommandSyntax", "EngineProcesses", "EngineWire", "LocatedJSON", "Sentences", "SpeechScript",
                "SynthAudio", "SynthHost", "System", "Terminal", "VoiceCatalogue",
            ]),
        // Floor 12: the commands that speak.
        .target(
            name: "SpeakingCommands",
            dependencies: [
                "Books", "CommandParts", "CommandSyntax", "Documents", "Sentences", "SynthAudio", "SynthHost", "System",
                "Terminal", "VoiceCatalogue", "Wyoming",
            ]),
        // Floor 13: the programs.
        .executableTarget(
            name: "synthhost-cli",
            dependencies: [
                "CICU", "CLinux", "CSynthEngine", "CommandParts", "CommandSyntax", "Documents", "EngineChecks",
                "HTTPServer", "Listening", "LocatedJSON", "ModuleProgram", "Sentences", "SpeakingCommands",
                "SpeechMarkup", "SpeechScript", "SpeechService", "SynthAudio", "SynthHost", "System", "Terminal",
                "VoiceCatalogue", "Web", "Wyoming",
            ],
            exclude: ["Guides"]),
        .executableTarget(name: "synthhost-speechd", dependencies: ["ModuleProgram"]),
        .executableTarget(
            name: "synthhost-worker",
            dependencies: ["CLinux", "CSynthEngine", "EngineLoading", "EngineWire", "System"]),
        .executableTarget(
            name: "synthhost-check",
            dependencies: [
                "CLinux", "CSynthEngine", "EngineChecks", "EngineLoading", "EngineProcesses", "EngineWire",
                "SpeechEngines", "System",
            ]),
        .executableTarget(
            name: "synthhost-read",
            dependencies: ["CLinux", "DocumentReading", "Documents", "LocatedJSON", "SpeechMarkup", "System"]),
        .executableTarget(
            name: "synthhost-fetch",
            dependencies: ["Archives", "CCurl", "CLinux", "LocatedJSON", "ModelStore", "System", "VoiceCatalogue"]),
        // The engines.
        .systemLibrary(
            name: "CEspeakNG", path: "Plugins/Shared/CEspeakNG", pkgConfig: "espeak-ng",
            providers: [.apt(["libespeak-ng-dev"])]),
        .target(name: "CSilentAudio", path: "Plugins/Shared/CSilentAudio"),
        .target(
            name: "Phonemes", dependencies: ["CEspeakNG", "CSilentAudio"], path: "Plugins/Shared/Phonemes",
            // Tests of neural engines spend a third of their time in it otherwise.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "EspeakNG", dependencies: ["CEspeakNG", "CSilentAudio", "EngineKit", "Phonemes"],
            path: "Plugins/EspeakNG",
            exclude: ["LICENSE", "README.md"]),
        .target(name: "Tone", dependencies: ["CSynthEngine"], path: "Plugins/Tone", publicHeadersPath: "."),
        // The tests, one target for each room; EngineKitTests has those of EspeakNG and Tone, too.
        .target(name: "TestNumbers", path: "Tests/TestNumbers"),
        .target(
            name: "TestSupport", dependencies: ["CLinux", "CSynthEngine", "System"], path: "Tests/TestSupport",
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "CommandSupport",
            dependencies: ["CommandParts", "SynthAudio", "synthhost-cli", "System", "Terminal", "TestSupport"],
            path: "Tests/CommandSupport"),
        .testTarget(name: "CSynthEngineTests", dependencies: ["TestSupport"], exclude: ["Layout"]),
        .testTarget(name: "LocatedJSONTests", dependencies: ["LocatedJSON", "TestNumbers"]),
        .testTarget(name: "EngineKitTests", dependencies: ["CSynthEngine", "EngineKit", "TestSupport"]),
        .target(
            name: "FrameChecks", dependencies: ["EngineChecks", "EngineProcesses", "EngineWire", "System"],
            path: "Tests/FrameChecks"),
        .testTarget(
            name: "EngineWireTests",
            dependencies: ["EngineWire", "FrameChecks", "System", "TestNumbers", "TestSupport"]),
        .testTarget(
            name: "DocumentTests",
            dependencies: ["CArchive", "DocumentReading", "Documents", "System", "TestNumbers", "TestSupport"]),
        .testTarget(
            name: "BooksTests",
            dependencies: [
                "Books", "Documents", "SpeechScript", "SynthAudio", "Synthesis", "System", "TestNumbers", "TestSupport",
            ]),
        .target(
            name: "ScriptChecks", dependencies: ["SpeechMarkup", "SpeechScript"], path: "Tests/ScriptChecks"),
        .testTarget(
            name: "SpeechScriptTests", dependencies: ["ScriptChecks", "SpeechMarkup", "SpeechScript", "TestNumbers"]),
        .executableTarget(name: "WordsProbe", dependencies: ["SpeechScript", "SynthHost"], path: "Tests/WordsProbe"),
        .target(name: "WordChecks", dependencies: ["SpeechScript", "Verbalization"], path: "Tests/WordChecks"),
        .testTarget(
            name: "VerbalizationTests", dependencies: ["System", "TestNumbers", "Verbalization", "WordChecks"],
            exclude: ["Tables"]),
        .testTarget(name: "SynthAudioTests", dependencies: ["SynthAudio", "System", "TestNumbers", "TestSupport"]),
        .testTarget(
            name: "EngineProcessesTests",
            dependencies: [
                "CLinux", "CommandSupport", "EngineProcesses", "EngineWire", "SpeechEngines", "System", "TestNumbers",
                "TestSupport",
            ]),
        .testTarget(
            name: "RecognizersTests",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "Recognizers", "SynthAudio", "System", "TestSupport",
            ]),
        .testTarget(
            name: "ListeningTests",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "Recognizers", "SynthAudio", "System", "TestNumbers",
                "TestSupport",
            ]),
        .testTarget(
            name: "EngineChecksTests",
            dependencies: [
                "CommandSupport", "EngineChecks", "EngineWire", "Sentences", "synthhost-check", "synthhost-cli",
                "System",
                "TestSupport",
            ]),
        .executableTarget(
            name: "StoreProbe", dependencies: ["Archives", "ModelStore", "System", "VoiceCatalogue"],
            path: "Tests/StoreProbe"),
        .testTarget(
            name: "ModelStoreTests",
            dependencies: [
                "Archives", "CArchive", "ModelStore", "StoreProbe", "synthhost-fetch", "System", "TestNumbers",
                "TestSupport", "VoiceCatalogue",
            ]),
        .testTarget(
            name: "VoiceCatalogueTests",
            dependencies: ["LocatedJSON", "ModelStore", "System", "TestNumbers", "VoiceCatalogue"]),
        .testTarget(
            name: "SynthHostTests",
            dependencies: [
                "EngineProcesses", "EngineWire", "Listening", "LocatedJSON", "ModelStore", "Recognizers",
                "SpeechEngines", "SpeechScript", "SpeechSessions", "SynthAudio", "Synthesis", "SynthHost",
                "SynthHostTesting", "System", "TestNumbers", "TestSupport", "UserVoices", "VoiceCatalogue",
            ]),
        .testTarget(
            name: "SpeechServiceTests",
            dependencies: [
                "Documents", "EngineProcesses", "EngineWire", "HTTPServer", "Listening", "LocatedJSON", "Recognizers",
                "SpeechDispatcher", "SpeechEngines", "SpeechScript", "SpeechService", "SynthAudio", "SynthHost",
                "SynthHostTesting",
                "System",
                "synthhost-read", "TestNumbers", "TestSupport", "VoiceCatalogue", "Web", "Wyoming",
            ]),
        .executableTarget(name: "HTTPProbe", dependencies: ["HTTPServer", "Web"], path: "Tests/HTTPProbe"),
        .testTarget(name: "SynthHostTestingTests", dependencies: ["SynthHost", "SynthHostTesting"]),
        .testTarget(name: "TerminalTests", dependencies: ["System", "Terminal", "TestSupport"]),
        .testTarget(name: "EngineLoadingTests", dependencies: ["EngineLoading"]),
        .testTarget(name: "ScriptTests", dependencies: ["EngineChecks", "EngineWire", "TestSupport"]),
        .executableTarget(
            name: "LaneProbe", dependencies: ["EngineProcesses", "EngineWire", "SpeechEngines", "TestNumbers"],
            path: "Tests/LaneProbe"),
        .executableTarget(name: "PhonemesProbe", dependencies: ["Phonemes"], path: "Tests/PhonemesProbe"),
        .target(name: "SpokenRows", dependencies: ["SpeechScript", "SynthHost"], path: "Tests/SpokenRows"),
        .testTarget(name: "PhonemesTests", dependencies: ["Phonemes", "SpokenRows", "TestSupport"]),
        // Commands: what is typed and told, models and configuration; then commands at work: they speak, listen, serve.
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CommandParts", "CommandSupport", "CommandSyntax", "EngineChecks", "EngineProcesses", "EngineWire",
                "ModelStore", "Sentences", "SpeechScript", "SpeechService", "SynthAudio", "SynthHost", "Synthesis",
                "synthhost-cli", "System", "Terminal", "TestNumbers", "TestSupport", "UserVoices", "VoiceCatalogue",
            ]),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "CommandSupport", "Documents", "SynthAudio", "synthhost-cli", "synthhost-speechd", "System",
                "TestNumbers", "TestSupport", "VoiceCatalogue", "Wyoming",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c11
)

// ONNX Runtime is not packaged everywhere. Scripts/onnxruntime prints the folder that it is in; everything else builds
// without it. A variable and no look at the file system, because only a variable has the manifest read again.
if let runtime = Context.environment["SYNTHHOST_ONNXRUNTIME"], !runtime.isEmpty {
    package.products += [
        .library(name: "ONNXInference", targets: ["ONNXInference"]),
        .library(name: "Kokoro", type: .dynamic, targets: ["Kokoro"]),
        .library(name: "Parakeet", type: .dynamic, targets: ["Parakeet"]),
        .library(name: "Piper", type: .dynamic, targets: ["Piper"]),
        .library(name: "Silero", type: .dynamic, targets: ["Silero"]),
        .library(name: "Whisper", type: .dynamic, targets: ["Whisper"]),
    ]
    package.targets += [
        .systemLibrary(
            name: "CONNXRuntime", path: "Plugins/Shared/CONNXRuntime", pkgConfig: "libonnxruntime",
            providers: [.apt(["libonnxruntime-dev"])]),
        .target(name: "CFileHoles", path: "Plugins/Shared/CFileHoles"),
        .target(
            name: "CVectorKernels", path: "Plugins/Shared/CVectorKernels",
            // Vectors that are not kept in registers are so slow that tests take minutes.
            cSettings: [.unsafeFlags(["-O2"], .when(configuration: .debug))]),
        .target(
            name: "ONNXGraphs", dependencies: ["CFileHoles", "CONNXRuntime"], path: "Plugins/Shared/ONNXGraphs",
            // Loops over millions of numbers, of which tests run many, take minutes otherwise.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "GraphRewriting", dependencies: ["CONNXRuntime", "CVectorKernels", "ONNXGraphs"],
            path: "Plugins/Shared/GraphRewriting",
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "ONNXInference", dependencies: ["CONNXRuntime", "GraphRewriting", "ONNXGraphs"],
            path: "Plugins/Shared/ONNXInference",
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))],
            // Tests run from the build folder; a release finds the library beside the host's own.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "\(runtime)/lib"], .when(configuration: .debug))
            ]),
        .target(
            name: "Piper", dependencies: ["CSynthEngine", "EngineKit", "LocatedJSON", "ONNXInference", "Phonemes"],
            path: "Plugins/Piper", exclude: ["LICENSE", "README.md"]),
        .target(
            name: "Kokoro", dependencies: ["CArchive", "CSynthEngine", "EngineKit", "ONNXInference", "Phonemes"],
            path: "Plugins/Kokoro", exclude: ["LICENSE", "README.md"],
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "RecognizerParts", dependencies: ["ONNXInference"], path: "Plugins/Shared/RecognizerParts",
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .target(
            name: "Whisper",
            dependencies: ["CSynthEngine", "EngineKit", "LocatedJSON", "ONNXInference", "RecognizerParts"],
            path: "Plugins/Whisper", exclude: ["LICENSE", "README.md"],
            // Loops over scores and frames, of which tests run many, take minutes otherwise.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "WhisperTests",
            dependencies: [
                "CSynthEngine", "EngineKit", "ONNXInference", "RecognizerParts", "TestNumbers", "TestSupport",
                "Whisper",
            ]),
        .target(
            name: "Parakeet", dependencies: ["CSynthEngine", "EngineKit", "Transducers"], path: "Plugins/Parakeet/Entry"
        ),
        .target(
            name: "Transducers", dependencies: ["EngineKit", "LocatedJSON", "ONNXInference", "RecognizerParts"],
            path: "Plugins/Parakeet", exclude: ["Entry", "LICENSE", "README.md"],
            // Loops over scores and frames, as those of Whisper.
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "ParakeetTests",
            dependencies: [
                "CSynthEngine", "EngineKit", "ONNXInference", "RecognizerParts", "TestSupport", "Transducers",
            ]),
        .executableTarget(
            name: "ParakeetProbe", dependencies: ["EngineKit", "Transducers"], path: "Tests/ParakeetProbe"),
        .target(
            name: "Silero", dependencies: ["CSynthEngine", "EngineKit", "SpeechDetection"], path: "Plugins/Silero/Entry"
        ),
        .target(
            name: "SpeechDetection", dependencies: ["EngineKit", "ONNXInference"], path: "Plugins/Silero",
            exclude: ["Entry", "LICENSE", "README.md"]),
        .testTarget(
            name: "SileroTests",
            dependencies: ["CSynthEngine", "ONNXInference", "SpeechDetection", "TestSupport", "TinyModels"]),
        .executableTarget(name: "SileroProbe", dependencies: ["SpeechDetection"], path: "Tests/SileroProbe"),
        .executableTarget(name: "WhisperProbe", dependencies: ["Whisper"], path: "Tests/WhisperProbe"),
        .testTarget(
            name: "KokoroTests",
            dependencies: [
                "CommandSupport", "CSynthEngine", "EngineKit", "Kokoro", "ONNXGraphs", "ONNXInference", "Phonemes",
                "SpokenRows", "synthhost-cli", "TestNumbers", "TestSupport",
            ]),
        .executableTarget(
            name: "KokoroProbe", dependencies: ["Kokoro", "Phonemes"], path: "Tests/KokoroProbe"),
        .target(
            name: "TinyModels", dependencies: ["ONNXInference", "TestNumbers"], path: "Tests/TinyModels",
            swiftSettings: [.unsafeFlags(["-O"], .when(configuration: .debug))]),
        .testTarget(
            name: "ONNXInferenceTests",
            dependencies: [
                "CVectorKernels", "GraphRewriting", "ONNXGraphs", "ONNXInference", "TestNumbers", "TestSupport",
                "TinyModels",
            ]),
        .testTarget(
            name: "PiperTests",
            dependencies: [
                "CommandSupport", "CSynthEngine", "ONNXGraphs", "ONNXInference", "Phonemes", "TestSupport",
                "TinyModels",
            ]),
    ]
}

// libFuzzer has an entry of its own, which no other build can link. Scripts/fuzz builds these targets.
if Context.environment["SYNTHHOST_FUZZ"] != nil {
    package.targets += [
        .target(name: "CFuzzMain", path: "Tests/CFuzzMain"),
        .executableTarget(name: "ScriptFuzz", dependencies: ["CFuzzMain", "ScriptChecks"], path: "Tests/ScriptFuzz"),
        .executableTarget(name: "WordFuzz", dependencies: ["CFuzzMain", "WordChecks"], path: "Tests/WordFuzz"),
        .executableTarget(name: "FrameFuzz", dependencies: ["CFuzzMain", "FrameChecks"], path: "Tests/FrameFuzz"),
    ]
}

// What one script needs, built in one go: `swift build` takes one product, and several one after the other leave a processor idle.
@MainActor func keepOnly(_ targets: Set<String>, products: Set<String> = []) {
    var needed = targets
    package.products.removeAll { !products.contains($0.name) }
    // Those that others need come before them.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
}
// What speaks the first sentence: "quick" to compile, or "final".
if Context.environment["SYNTHHOST_FIRST"] != nil {
    keepOnly(
        ["synthhost-cli", "synthhost-worker", "EspeakNG"], products: ["synthhost", "synthhost-worker", "EspeakNG"])
}
if Context.environment["SYNTHHOST_FUZZ"] != nil { keepOnly(["ScriptFuzz", "WordFuzz", "FrameFuzz"]) }

// The linker calls an engine by the folder of the build otherwise, and two builds would differ. An engine exports its entry alone, so
// that the linker removes functions that nothing calls.
for target in package.targets
where ["Plugins/\(target.name)", "Plugins/\(target.name)/Entry"].contains(target.path) {
    target.linkerSettings = [
        .unsafeFlags(
            [
                "-Xlinker", "-soname=lib\(target.name).so",
                "-Xlinker", "--version-script=\(Context.packageDirectory)/Plugins/Shared/entries.map",
            ], .when(configuration: .release))
    ]
}

// What computes sound or reads long texts is built for speed. All else waits for people, files and sockets: built for size, it is
// as quick to use, takes half the time to compile, and fits into a smaller download.
let builtForSpeed: Set = [
    "EngineKit", "EngineWire", "LocatedJSON", "SpeechMarkup", "SpeechScript", "SpeechSessions", "SynthAudio",
    "Synthesis", "System", "Verbalization",
]
// In the build of the first sentence, which somebody waits for, it is not built for anything, nor is what uses it: the build of the
// whole makes that anew. A checkout whose tests run builds it once.
var waitsForTheWhole: Set = ["Books", "EngineChecks", "HTTPServer", "ModelStore", "SpeechService"]
for target in package.targets where target.path == nil && !builtForSpeed.contains(target.name) {
    guard [.regular, .executable].contains(target.type) else { continue }
    for case .byNameItem(let name, _) in target.dependencies where waitsForTheWhole.contains(name) {
        waitsForTheWhole.insert(target.name)
    }
    let waits = waitsForTheWhole.contains(target.name) && Context.environment["SYNTHHOST_FIRST"] == "quick"
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.unsafeFlags([waits ? "-Onone" : "-Osize"], .when(configuration: .release))]
}

// Tests mostly wait for what they test, and each is compiled once, in one go.
for target in package.targets where target.type == .test {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
        ]
}

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
        ]
}
