import SynthEngineWire
import SynthSystem
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Messages about files that are not loaded")
struct RefusalSentenceTests {
    @Test(
        "The message describes the problem and names the file",
        arguments: [
            (Refusal(.cannotBeOpened(Errno(2))), "cannot be opened: No such file or directory"),
            (Refusal(.lacksLibrary("liba.so")), "needs the library liba.so, which is not installed"),
            (Refusal(.cannotBeLoaded("undefined symbol: a")), "cannot be loaded: undefined symbol: a"),
            (
                Refusal(.writableByAll("/p"), of: .folder("/p")),
                "is in the folder /p, which is writable by all users"
            ),
            (
                Refusal(.writableByAll("/l.so"), of: .library("/l.so")),
                "needs /l.so, which is writable by all users"
            ),
            (
                Refusal(.writableByGroup("/l"), of: .searchFolder("/l", for: nil)),
                "searches for libraries in /l, which is writable by a group"
            ),
            (
                Refusal(.notAbsolute, of: .searchElement("", for: nil)),
                "searches for libraries in the working directory, which depends on the working directory"
            ),
            (
                Refusal(.notAbsolute, of: .searchElement(".", for: "/l.so")),
                "needs /l.so, which searches for libraries in \".\", which depends on the working directory"
            ),
            (
                Refusal(.notAbsolute, of: .namedLibrary("./a.so", for: nil)),
                "needs the library ./a.so, which depends on the working directory"
            ),
            (Refusal(.writableByOthers("/p")), "is writable by other users through its access control list"),
            (
                Refusal(.absentFolder, of: .searchFolder("/tmp/built/lib", for: nil)),
                "searches for libraries in /tmp/built/lib, which does not exist, and other users could create it"
            ),
            (
                Refusal(.unconfined(.files)),
                "was not loaded, because this system cannot confine it as limits.confinement requires"
            ),
            (
                Refusal(.sharedFolder("/tmp"), of: .searchFolder("/tmp", for: nil)),
                "searches for libraries in /tmp, which is writable by all users"
            ),
            (Refusal(.noEntry), "is not a speech engine: it has no function synth_engine_entry"),
            (Refusal(.noRecognizer), "is not a speech recognizer: it has no function synth_recognizer_entry"),
            (Refusal(.noTable(version: 1)), "does not support version 1 of the engine interface"),
            (
                Refusal(.otherVersion(7, host: 1)),
                "was built for version 7 of the engine interface; this synthhost supports version 1"
            ),
            (Refusal(.description(.unusable(DescriptionField(.license)))), "has no valid license"),
            (
                Refusal(.description(.unusable(DescriptionField(.voiceName, ofVoice: "one")))),
                "has no valid name for the voice one"
            ),
            (
                Refusal(.description(.unusableList(DescriptionField(.speakers, ofVoice: "one")))),
                "has no valid list of speakers for the voice one"
            ),
            (
                Refusal(.description(.forbiddenCharacters("../x", in: DescriptionField(.id)))),
                "declares \"../x\" as the ID, but an ID may contain only letters, digits and . _ + -"
            ),
            (
                Refusal(.description(.forbiddenCharacters("-rf", in: DescriptionField(.voiceID)))),
                "declares \"-rf\" as the voice ID, but an ID must not begin with \"-\", because commands would treat "
                    + "the ID as an option"
            ),
            (
                Refusal(.description(.forbiddenCharacters("a=b", in: DescriptionField(.variableName)))),
                "declares \"a=b\" as the environment variable name, which contains invalid characters"
            ),
            (
                Refusal(.description(.unusableRange(low: 0, high: 2, of: DescriptionField(.rate)))),
                "declares 0.0 to 2.0 as the range of its rate, which must be positive and include 1"
            ),
            (
                Refusal(.description(.tooMany(DescriptionField(.voices), most: 20_000))),
                "has more than 20000 voices"
            ),
            (Refusal(.description(.sameID("one"))), "has two voices with the ID one"),
            (Refusal(.description(.sameModelID("one"))), "has two models with the ID one"),
            (
                Refusal(.description(.differsByCase("One", from: "one"))),
                "declares the IDs one and One, which differ only in case"
            ),
            (Refusal(.description(.missingFile(voice: "one"))), "has a NULL entry in the file list of the voice one"),
        ])
    func reasons(refusal: Refusal, reason: String) { #expect(refusal.reason == reason) }

    @Test(
        "The remedy tells the user what to do",
        arguments: [
            (Refusal(.empty), "Remove the file, or replace it with a working one."),
            (Refusal(.damaged), "Copy the file to this machine again."),
            (Refusal(.ofOtherUser("/a b.so")), "If you trust the file or folder, type: sudo chown root \"/a b.so\""),
            (Refusal(.writableByAll("/p"), of: .folder("/p")), "Type: chmod o-w /p"),
            (Refusal(.writableByGroup("/p")), "Type: chmod g-w /p"),
            (Refusal(.writableByOthers("/p")), "Type: setfacl -b /p"),
            (Refusal(.noEntry), "Remove the file from the plugins folder."),
            (Refusal(.noTable(version: 1)), "Get a version that was built for synthhost \(hostVersion)."),
            (Refusal(.missingFunction), "Report this to the plugin's author."),
            (Refusal(.lacksLibrary("libespeak-ng.so.1")), "Type: sudo apt install libespeak-ng1"),
            (
                Refusal(.lacksLibrary("libfancy.so.7")),
                "To find the package that provides the library, type: apt-file search libfancy.so.7"
            ),
        ])
    func remedies(refusal: Refusal, remedy: String) { #expect(refusal.remedy.command == remedy) }

    @Test(
        "The remedy never changes a folder shared with other users",
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

    @Test("The remedy for insufficient memory names the limit")
    func memory() { #expect(Refusal(.cannotBeMapped("x")).remedy.command.contains("ulimit -v")) }

    @Test(
        "For Swift libraries, the message names no Debian package",
        arguments: ["libswift_Differentiation.so", "libFoundationXML.so"])
    func swift(name: String) {
        let remedy = Refusal(.lacksLibrary(name)).remedy.command
        #expect(remedy.contains("-static-stdlib") && !remedy.contains("apt"))
    }
}
