import Testing

@testable import SynthGraphRewriting
@testable import SynthInference

@Suite struct ModelFormTests {
    private static let outcomes: [(RewriteOutcome?, isOff: Bool, isFromCache: Bool, text: String)] = [
        (RewriteOutcome(.rewritten, "all of it"), false, true, "rewritten: all of it"),
        (RewriteOutcome(.unknown, "it has a Sin"), false, true, "as published, because it has a Sin"),
        (
            RewriteOutcome(.failed, "it changes samples"), false, true,
            "as published, because the check failed: it changes samples"
        ),
        (nil, false, true, "as published"),
        (
            nil, false, false,
            "as published until the model has been used once, because its faster variant is not in the cache yet"
        ),
        (nil, true, true, "as published, because SYNTHHOST_ORIGINAL_MODELS is 1"),
        (nil, true, false, "as published, because SYNTHHOST_ORIGINAL_MODELS is 1"),
    ]

    @Test("Each variant of a model has its own description", arguments: outcomes.indices)
    func words(index: Int) {
        let (rewriting, isOff, isFromCache, text) = Self.outcomes[index]
        let form = ModelForm(isFromCache: isFromCache, rewriting: rewriting, isOff: isOff)
        #expect(form.description == text)
    }

    @Test(
        "The precision is read from the first environment variable that has a valid value",
        arguments: [
            ([:], ModelPrecision.automatic), (["SYNTHHOST_EXACT": "1"], .exact),
            (["SYNTHHOST_EXACT": "0"], .automatic),
            (["SYNTHHOST_PRECISION": "fast", "SYNTHHOST_EXACT": "1"], .fast),
            (["SYNTHHOST_PRECISION": "exact"], .exact),
            (["SYNTHHOST_PRECISION": "faster", "SYNTHHOST_EXACT": "1"], .exact),
        ])
    func precision(variables: [String: String], expected: ModelPrecision) {
        #expect(ModelPrecision.chosen { variables[$0] } == expected)
    }
}
