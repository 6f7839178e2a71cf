import SynthListening
import Testing

@Suite("Finding the most similar name")
struct NearestNameTests {
    private static let names = ["Kitchen", "Living room", "Jean-Luc", "Ännchen", "Yes", "No"]

    @Test(
        "The most likely name is selected",
        arguments: [
            ("kitchen.", 0, 0), ("The kitchen", 0, 0), ("living-room", 1, 0), ("Leaving room", 1, 2.0 / 11),
            ("jean luc", 2, 0), ("annchen", 3, 1.0 / 7), ("YES!", 4, 0), ("um, Jean-Luc please", 2, 0),
            ("in the living room now", 1, 0),
        ] as [(String, Int, Double)])
    func nearest(text: String, index: Int, distance: Double) throws {
        let found = try #require(NearestName(of: Self.names, heard: text))
        #expect(found.index == index && abs(found.distance - distance) < 1e-9)
    }

    @Test(
        "No name is selected if all names are too different or there is nothing to compare",
        arguments: ["know", "Nein", "", " ."])
    func none(text: String) {
        #expect(NearestName(of: Self.names, heard: text) == nil)
    }

    @Test("The longest match among other words is selected; words that only sound similar are not")
    func amongOthers() {
        #expect(NearestName(of: ["Ann", "Ann Marie"], heard: "call ann marie please")?.index == 1)
        #expect(NearestName(of: ["Ben"], heard: "where have you been") == nil)
    }

    @Test("If two names match different words equally well, no name is selected")
    func unclear() {
        #expect(NearestName(of: ["Anna", "Ben"], heard: "Anna? No, Ben.") == nil)
        #expect(NearestName(of: ["A", "B"], heard: "I'd take a B") == nil)
        #expect(NearestName(of: ["Ben", "Ben"], heard: "it is Ben")?.index == 0)
    }

    @Test("If several names are equally similar, the first is selected, up to the maximum distance")
    func edges() {
        #expect(NearestName(of: [], heard: "a") == nil)
        #expect(NearestName(of: ["", "!"], heard: "a") == nil)
        #expect(NearestName(of: ["ab", "ac"], heard: "ad", farthest: 0.5)?.index == 0)
        #expect(NearestName(of: ["ab"], heard: "ad") == nil)
    }
}
