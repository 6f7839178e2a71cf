import Testing

@testable import EngineLoading

@Suite("A library that is missing") struct MissingLibraryTests {
    private func missing(_ name: String) -> MissingLibrary? {
        MissingLibrary("\(name): cannot open shared object file: No such file or directory")
    }

    @Test("is named with the package to install")
    func package() {
        #expect(missing("libespeak-ng.so.1")?.remedy == "Type: sudo apt install libespeak-ng1")
    }

    @Test("is not what is told where memory is short")
    func memory() throws {
        let words = "libFLAC.so.12: failed to map segment from shared object"
        #expect(MissingLibrary(words) == nil)
        #expect(try #require(EngineLibrary.remedy(for: words)).contains("ulimit -v"))
        #expect(EngineLibrary.remedy(for: "/a.so: undefined symbol: not_there") == nil)
    }

    @Test("of an unknown package is looked for by its name")
    func unknown() {
        #expect(missing("libfancy.so.7")?.remedy == "`apt-file search libfancy.so.7` names its package.")
    }

    @Test("of Swift cannot be had from Debian", arguments: ["libswift_Differentiation.so", "libFoundationXML.so"])
    func swift(name: String) throws {
        let remedy = try #require(missing(name)?.remedy)
        #expect(remedy.contains("-static-stdlib"))
        #expect(!remedy.contains("apt"))
    }

    @Test(
        "is not seen in other complaints of the loader",
        arguments: [
            "/plugins/libMine.so: undefined symbol: not_there",
            "/plugins/libMine.so: cannot open shared object file: No such file or directory",
            "libMine.so: file too short", "",
        ])
    func others(words: String) {
        #expect(MissingLibrary(words) == nil)
    }
}
