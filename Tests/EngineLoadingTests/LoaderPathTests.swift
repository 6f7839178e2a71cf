import Testing

@testable import SynthEngineLoading

@Suite("Search path elements")
struct LoaderPathTests {
    @Test(
        "An element is expanded as the loader does",
        arguments: [
            ("$ORIGIN", "/opt/a$LIB"), ("${ORIGIN}", "/opt/a$LIB"), ("$ORIGIN/../lib", "/opt/a$LIB/../lib"),
            ("/x/$ORIGIN-y", "/x//opt/a$LIB-y"), ("${ORIGIN}s", "/opt/a$LIBs"), ("/usr/lib", "/usr/lib"), ("", ""),
        ])
    func expanded(text: String, path: String) { #expect(LoaderPath.expanded(text, origin: "/opt/a$LIB") == path) }

    @Test(
        "An element with an unknown or incomplete token has no expansion",
        arguments: [
            "$LIB", "$ORIGIN/$PLATFORM", "$ORIGINS", "$ORIGIN_A", "${ORIGIN", "${ORIGINS}", "a$", "$$ORIGIN", "${}",
        ])
    func unknown(text: String) { #expect(LoaderPath.expanded(text, origin: "/opt") == nil) }
}
