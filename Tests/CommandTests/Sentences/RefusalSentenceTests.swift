import SynthEngineWire
import SynthSystem
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Messages about files that are not loaded")
struct RefusalSentenceTests {
    @Test(
        "The message says what is wrong and with which file",
        arguments: [
            (Refusal(.cannotBeOpened(Errno(2))), "cannot be opened: No such file or directory"),
            (Refusal(.lacksLibrary("liba.so")), "needs the library liba.so, which is not installed"),
            (Refusal(.cannotBeLoaded("undefined symbol: a")), "cannot be loaded: undefined symbol: a"),
            (
                Refusal(.writableByAll("/p"), of: .folder("/p")),
                "is in the folder /p, which may be written by everybody"
            ),
            (Refusal(.writableByAll("/l.so"), of: .library("/l.so")), "needs /l.so, which may be written by everybody"),
            (
                Refusal(.writableByGroup("/l"), of: .searchFolder("/l", for: nil)),
                "looks for libraries in /l, which may be written by a group"
            ),
            (
                Refusal(.notAbsolute, of: .searchElement("", for: nil)),
                "looks for libraries in the working directory, which depends on where it is started"
            ),
            (
                Refusal(.notAbsolute, of: .searchElement(".", for: "/l.so")),
                "needs /l.so, which looks for libraries in \".\", which depends on where it is started"
            ),
            (
                Refusal(.notAbsolute, of: .namedLibrary("./a.so", for: nil)),
                "needs the library ./a.so, which depends on where it is started"
            ),
            (Refusal(.writableByOthers("/p")), "may be written by others, who are in its access list"),
            (
                Refusal(.absentFolder, of: .searchFolder("/tmp/built/lib", for: nil)),
                "looks for libraries in /tmp/built/lib, which is not there, and others could make it"
            ),
            (
                Refusal(.unconfined(.files)),
                "cannot be confined here as limits.confinement asks for, so it is not loaded"
            ),
            (
                Refusal(.sharedFolder("/tmp"), of: .searchFolder("/tmp", for: nil)),
                "looks for libraries in /tmp, which is open to everybody"
            ),
            (Refusal(.noEntry), "is no speech engine: it has no function synth_engine_entry"),
            (Refusal(.noRecognizer), "is no recognizer of speech: it has no function synth_recognizer_entry"),
            (Refusal(.noTable(version: 1)), "does not speak version 1 of the engine interface"),
            (
                Refusal(.otherVersion(7, host: 1)),
                "was made for version 7 of the engine interface; this synthhost speaks version 1"
            ),
            (Refusal(.description(.unusable(DescriptionField(.licence)))), "gives no usable licence"),
            (
                Refusal(.description(.unusable(DescriptionField(.voiceName, ofVoice: "one")))),
                "gives no usable name of the voice one"
            ),
            (
                Refusal(.description(.unusableList(DescriptionField(.speakers, ofVoice: "one")))),
                "gives no usable list of the speakers of the voice one"
            ),
            (
                Refusal(.description(.forbiddenCharacters("../x", in: DescriptionField(.id)))),
                "gives \"../x\" as the id, but an id is made of letters, digits and . _ + -"
            ),
            (
                Refusal(.description(.forbiddenCharacters("-rf", in: DescriptionField(.voiceID)))),
                "gives \"-rf\" as the id of a voice, but an id must not begin with \"-\", which commands read as an option"
            ),
            (
                Refusal(.description(.forbiddenCharacters("a=b", in: DescriptionField(.variableName)))),
                "gives \"a=b\" as the name of an environment variable, which holds characters that are not allowed there"
            ),
            (
                Refusal(.description(.unusableRange(low: 0, high: 2, of: DescriptionField(.rate)))),
                "gives 0.0 to 2.0 as the range of its rate, which must be positive and include 1"
            ),
            (
                Refusal(.description(.tooMany(DescriptionField(.voices), most: 20_000))),
                "has more than 20000 voices"
            ),
            (Refusal(.description(.sameID("one"))), "has two voices with the id one"),
            (Refusal(.description(.sameModelID("one"))), "has two models with the id one"),
            (
                Refusal(.description(.differsByCase("One", from: "one"))),
                "gives the ids one and One, which differ by case only"
            ),
            (Refusal(.description(.missingFile(voice: "one"))), "has a NULL among the files of the voice one"),
        ])
    func reasons(refusal: Refusal, reason: String) { #expect(refusal.reason == reason) }

    @Test(
        "The remedy says what to do",
        arguments: [
            (Refusal(.empty), "Remove the file, or put a working one in its place."),
            (Refusal(.damaged), "Copy it here again."),
            (Refusal(.ofOtherUser("/a b.so")), "If you trust it, type: sudo chown root \"/a b.so\""),
            (Refusal(.writableByAll("/p"), of: .folder("/p")), "Type: chmod o-w /p"),
            (Refusal(.writableByGroup("/p")), "Type: chmod g-w /p"),
            (Refusal(.writableByOthers("/p")), "Type: setfacl -b /p"),
            (Refusal(.noEntry), "Remove it from the plugins folder."),
            (Refusal(.noTable(version: 1)), "Get one that was made for synthhost \(hostVersion)."),
            (Refusal(.missingFunction), "Tell its author."),
            (Refusal(.lacksLibrary("libespeak-ng.so.1")), "Type: sudo apt install libespeak-ng1"),
            (Refusal(.lacksLibrary("libfancy.so.7")), "`apt-file search libfancy.so.7` names its package."),
        ])
    func remedies(refusal: Refusal, remedy: String) { #expect(refusal.remedy.command == remedy) }

    @Test(
        "The remedy never changes a folder that others use",
        arguments: [
            Refusal(.absentFolder, of: .searchFolder("/tmp/built/lib", for: nil)),
            Refusal(.sharedFolder("/tmp"), of: .searchFolder("/tmp", for: "/l.so")),
            Refusal(.ofOtherUser("/home/other"), of: .searchFolder("/home/other/lib", for: nil)),
            Refusal(.sharedFolder("/srv"), of: .folder("/srv")),
        ])
    func folders(refusal: Refusal) {
        let isSearched = if case .searchFolder = refusal.part { true } else { false }
        #expect(refusal.remedy.command.contains("Scripts/install") == isSearched)
        #expect(!refusal.remedy.command.contains("chmod") && !refusal.remedy.command.contains("chown"))
    }

    @Test("The remedy for a lack of memory names the limit")
    func memory() { #expect(Refusal(.cannotBeMapped("x")).remedy.command.contains("ulimit -v")) }

    @Test(
        "No Debian package is named for a library of Swift",
        arguments: ["libswift_Differentiation.so", "libFoundationXML.so"])
    func swift(name: String) {
        let remedy = Refusal(.lacksLibrary(name)).remedy.command
        #expect(remedy.contains("-static-stdlib") && !remedy.contains("apt"))
    }
}
