/// One part of "Heart*0.7+Emma*0.3": a name and the weight after it.
struct BlendTerm: Equatable {
    /// A voice, or a speaker of the voice before it.
    var name: String
    /// Above 0 and finite; nil = none is given, which counts as 1.
    var weight: Double?

    /// The parts of a text; nil if it is only a name.
    static func terms(of text: String) throws(VoiceError) -> [BlendTerm]? {
        guard text.contains(where: { $0 == "+" || $0 == "*" }) else { return nil }
        var terms: [BlendTerm] = []
        for part in text.split(separator: "+", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false).map(trimmed)
            guard let name = sides.first, !name.isEmpty else { throw .incompleteBlend(text) }
            guard sides.count > 1 else {
                terms.append(BlendTerm(name: name))
                continue
            }
            guard let weight = weight(sides[1]) else { throw .noWeight(sides[1], voice: name) }
            terms.append(BlendTerm(name: name, weight: weight))
        }
        return terms
    }

    /// Only decimal digits with at most one point. Swift accepts more forms of numbers.
    private static func weight(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }), let weight = Double(text),
            weight > 0, weight.isFinite
        else { return nil }
        return weight
    }

    private static func trimmed(_ text: Substring) -> String {
        text.split(separator: " ").joined(separator: " ")
    }
}
