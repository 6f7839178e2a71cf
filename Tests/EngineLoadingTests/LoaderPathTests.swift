import Testing

@testable import SynthEngineLoading

@Suite("Search path elements")
struct LoaderPathTests {
    @Test(
        "Elements are expanded just as the loader expands them",
        arguments: [
            ("$ORIGIN", "/opt/a$LIB"), ("${ORIGIN}", "/opt/a$LIB"), ("$ORIGIN/../lib", "/opt/a$LIB/../lib"),
            ("/x/$ORIGIN-y", "/x//opt/a$LIB-y"), ("${ORIGIN}s", "/opt/a$LIBs"), ("/usr/lib", "/usr/lib"), ("", ""),
        ])
    func expanded(text: String, path: String) { #expect(LoaderPath.expanded(text, origin: "/opt/a$LIB") == path) }

    @Test(
        "Elements with an unknown or incomplete token have no expansion",
        arguments: [
            "$LIB", "$ORIGIN/$PLATFORM", "$ORIGINS", "$ORIGIN_A", "${ORIGIN", "${ORIGINS}", "a$", "$$ORIGIN", "${}",
        ])
    func unknown(text: String) { #expect(LoaderPath.expanded(text, origin: "/opt") == nil) }
}
