/// Files that voices share.
package struct Model: Sendable, Hashable {
    package let id: String
    package let engine: String
    package let name: String?
    /// "fp32", "int8" …, where there is a choice.
    package let precision: String?
    /// The model that this one can take the place of.
    package let variantOf: String?
    package let licence: String?
    /// What a second of its speech costs, in 10^9 multiply-adds as a probe counts them; nil = nobody measured it.
    package let cost: Double?
    /// Shows how fast the engine is on a machine before the model is downloaded.
    package let probe: Probe?
    package let files: [ModelFile]
    /// Another way to the same roles, used when the first fails.
    package let alternative: [ModelFile]
}

extension Model {
    /// The id of the one that all its variants, and it itself, can take the place of.
    package var family: String { variantOf ?? id }

    /// What a record keeps of it: all but the addresses.
    package var document: ModelDocument {
        ModelDocument(
            id: id, engine: engine, name: name, precision: precision, variantOf: variantOf, licence: licence, files: [])
    }

    /// The model of a record.
    package init(_ document: ModelDocument) {
        self.init(
            id: document.id, engine: document.engine, name: document.name, precision: document.precision,
            variantOf: document.variantOf, licence: document.licence, cost: nil, probe: nil, files: [], alternative: [])
    }
}
