import SynthCatalogue
import Testing

@testable import synthhost_cli
@testable import SynthCommandSyntax

@Suite("Registry messages")
struct RegistrySentenceTests {
    @Test(
        "Errors include the line, the subject and the remedy",
        arguments: [
            (
                RegistryError(origin: .file("models.json"), line: 6, subject: .voice("a"), .badRole("x y")),
                "models.json, line 6: voice a: \"x y\" is not a valid role name.",
                "Correct the file, or move it out of the way to continue without it."
            ),
            (
                RegistryError(origin: .file("models.json"), line: 7, subject: .key("size"), .wrongKind),
                "models.json, line 7: \"size\": a value has the wrong type.",
                "Correct the file, or move it out of the way to continue without it."
            ),
            (
                RegistryError(origin: .file("models.json"), .unreadable(reason: "Permission denied")),
                "models.json: it cannot be read: Permission denied.",
                "Check the permissions of the file, or reinstall synthhost."
            ),
            (
                RegistryError(origin: .file("own.json"), line: 3, subject: .voice("-rf"), .badID),
                "own.json, line 3: voice -rf: an ID must not begin with \"-\", because commands would treat the ID as "
                    + "an option.",
                "Correct the file, or move it out of the way to continue without it."
            ),
            (
                RegistryError(
                    origin: .file("own.json"), line: 9, subject: .voice("Amy"),
                    .differsByCase(from: "amy", file: "own.json", line: 3)),
                "own.json, line 9: voice Amy: the ID differs only in case from \"amy\" in line 3, and both would share one "
                    + "folder on some file systems. Change one of them.",
                "Correct the file, or move it out of the way to continue without it."
            ),
            (
                RegistryError(
                    origin: .file("own.json"), line: 9, subject: .voice("Amy"),
                    .differsByCase(from: "amy", file: "models.json", line: 3)),
                "own.json, line 9: voice Amy: the ID differs only in case from \"amy\" in models.json, line 3, and both would share "
                    + "one folder on some file systems. Change one of them.",
                "Correct the file, or move it out of the way to continue without it."
            ),
            (
                RegistryError(origin: .engine("choir"), subject: .voice("v"), .idNamesNoFolder),
                "engine choir: voice v: its ID cannot be used as a folder name.",
                "Report this to the engine's author."
            ),
        ])
    func sentences(error: RegistryError, message: String, remedy: String) {
        #expect(error.message == message)
        #expect(error.nextStep == remedy)
    }
}
