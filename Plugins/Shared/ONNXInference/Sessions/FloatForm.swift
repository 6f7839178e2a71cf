import Glibc
import GraphRewriting
import ONNXGraphs

/// The same model with floats in place of the smaller numbers that a published file may have: quantized weights and half
/// precision. On processors without fast units for those, floats take a third of the time, and every other rewrite reads floats.
struct FloatForm {
    /// Of the model's file, without what an entry of the cache adds.
    let path: String
    private let weights: String
    /// A few words for the log.
    let description: String

    /// Writes it beside the entry's other files; `nil` if the model has floats already.
    ///
    /// - Parameter outputs: Inner tensors that it returns as well.
    /// - Throws: If some of its numbers cannot be read, or the disk does not take it.
    init?(of model: String, exposing outputs: [String], in entry: GraphCache.Entry) throws {
        let file = try MappedFile(model)
        var graph = try ModelGraph(file.bytes)
        guard HalfPrecision.isUsed(in: graph) || DequantizedWeights.areUsed(in: graph) else { return nil }
        var descriptions: [String] = []
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        if DequantizedWeights.areUsed(in: graph) {
            var editor = GraphEditor(graph, weights: none)
            descriptions.append("\(try DequantizedWeights.apply(to: &editor)) quantized nodes with floats")
            graph = editor.graph
        }
        if HalfPrecision.isUsed(in: graph) {
            try HalfPrecision.remove(from: &graph)
            RoundedInverses.restore(in: &graph)
            descriptions.append("half precision as floats")
        }
        description = descriptions.joined(separator: ", ")
        path = entry.floats
        weights = entry.folder + "/" + GraphCache.Entry.floatWeights
        var added = AddedWeights(locations: [GraphCache.Entry.floatWeights])
        let exposed = outputs.flatMap { ModelGraph.appendix(exposing: $0) }
        do {
            try DiskFile(writing: path).write(try graph.bytes(&added) + exposed)
            try added.write { [weights] _ in weights }
        } catch {
            remove()
            throw error
        }
    }

    /// What becomes of the numbers of a model that are no floats.
    enum Outcome: Sendable {
        /// They are read into floats; in a few words.
        case read(String)
        /// They stay, and why.
        case refused(String)
    }

    /// Takes its files away; a session that was made of them needs them no more.
    func remove() {
        unlink(path)
        unlink(weights)
    }
}
