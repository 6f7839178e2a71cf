import Testing

@testable import SynthEngineLoading

@Suite("An element of a search path")
struct LoaderPathTests {
    @Test(
        "is what the loader makes of it",
        arguments: [
            ("$ORIGIN", "/opt/a$LIB"), ("${ORIGIN}", "/opt/a$LIB"), ("$ORIGIN/../lib", "/opt/a$LIB/../lib"),
            ("/x/$ORIGIN-y", "/x//opt/a$LIB-y"), ("${ORIGIN}s", "/opt/a$LIBs"), ("/usr/lib", "/usr/lib"), ("", ""),
        ])
    func expanded(text: String, path: String) { #expect(LoaderPath.expanded(text, origin: "/opt/a$LIB") == path) }

    @Test(
        "is not known if another token, or half a one, is in the file itself",
        arguments: [
            "$LIB", "$ORIGIN/$PLATFORM", "$ORIGINS", "$ORIGIN_A", "${ORIGIN", "${ORIGINS}", "a$", "$$ORIGIN", "${}",
        ])
    func unknown(text: String) { #expect(LoaderPath.expanded(text, origin: "/opt") == nil) }
}
