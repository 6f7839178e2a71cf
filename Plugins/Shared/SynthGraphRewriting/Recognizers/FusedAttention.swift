import SynthGraphs

/// Replaces the attention of an encoder with ONNX Runtime's `MultiHeadAttention`.
///
/// A plain graph keeps a score for each pair of frames and each head: 54 MB for a window of Whisper's smallest model. The
/// fused operator computes the scores in blocks that fit into the processor's cache. Its results differ only by
/// rounding.
enum FusedAttention {
    /// The axis order that moves a tensor's heads before its frames.
    private static let headsFirst: [Int64] = [0, 2, 1, 3]
    /// The axis order that additionally transposes the keys.
    private static let transposedKeys: [Int64] = [0, 2, 3, 1]

    /// A tensor of the shape [batch, frames, heads, numbers].
    private struct Heads {
        var name: String
        var count: Int64
    }

    /// An attention operation found in the graph.
    private struct Found {
        var (queries, keys, values): (Heads, Heads, Heads)
        var scale: Float
        /// The index of the node that transposes the result to [batch, frames, heads, numbers].
        var end: Int
        var output: String
    }

    /// Replaces each attention operation that has the usual form. All other nodes are left unchanged.
    static func replace(in editor: inout GraphEditor) throws {
        var changed = editor
        var replaced: Set<Int> = []
        for node in editor.graph.nodes where node.operation == "Softmax" {
            guard let found = find(node, in: editor) else { continue }
            // A 0 keeps the size of its axis; the size for -1 is computed.
            let joined = changed.constant([0, 0, -1])
            let inputs = [found.queries, found.keys, found.values].map { changed.add("Reshape", [$0.name, joined]) }
            let attention = changed.add(
                "MultiHeadAttention", domain: "com.microsoft", inputs,
                [
                    GraphAttribute("num_heads", .integer(found.queries.count)),
                    GraphAttribute("scale", .float(found.scale)),
                ])
            let divided = changed.constant([0, 0, found.queries.count, -1])
            _ = changed.add("Reshape", [attention, divided], as: found.output)
            replaced.insert(found.end)
        }
        guard !replaced.isEmpty else { return }
        try changed.replace(replaced)
        editor = changed
    }

    /// Returns the attention operation around a softmax; `nil` if it has a different form, such as one with a mask.
    private static func find(_ softmax: GraphNode, in editor: GraphEditor) -> Found? {
        guard softmax.domain.isEmpty, softmax.inputs.count == 1, softmax.outputs.count == 1,
            [.integer(-1), .integer(3)].contains(softmax["axis"]),
            editor.hasOneReader(softmax.inputs[0]),
            let scores = editor.producers[softmax.inputs[0]].map({ editor.graph.nodes[$0] }),
            let product = PlainProduct(scores),
            let (_, weighted) = editor.onlyReader(softmax.outputs[0], "MatMul", inputs: 2),
            weighted.inputs[0] == softmax.outputs[0],
            let queries = heads(scores.inputs[0], headsFirst, in: editor),
            let keys = heads(scores.inputs[1], product.isTransposed ? headsFirst : transposedKeys, in: editor),
            let values = heads(weighted.inputs[1], headsFirst, in: editor),
            queries.count == keys.count, queries.count == values.count,
            let (end, last) = editor.onlyReader(weighted.outputs[0], "Transpose", inputs: 1),
            last["perm"] == .integers(headsFirst)
        else { return nil }
        return Found(
            queries: queries, keys: keys, values: values, scale: product.scale, end: end, output: last.outputs[0])
    }

    /// Returns the tensor that, transposed with these axes, is `name`; `nil` unless its number of heads is constant.
    private static func heads(_ name: String, _ axes: [Int64], in editor: GraphEditor) -> Heads? {
        guard let transposed = editor.maker(of: name, "Transpose", inputs: 1), transposed["perm"] == .integers(axes),
            let shaped = editor.maker(of: transposed.inputs[0], "Reshape", inputs: 2),
            let shape = editor.integers(shaped.inputs[1]), shape.count == 4, shape[2] > 0
        else { return nil }
        return Heads(name: shaped.outputs[0], count: shape[2])
    }
}

/// A matrix product, as a standard ONNX node or as written by ONNX Runtime's optimizer.
struct PlainProduct {
    /// The factor by which all results are multiplied.
    let scale: Float
    /// Whether the second matrix is transposed.
    let isTransposed: Bool

    /// Returns `nil` if the node performs a different operation or transposes anything else.
    init?(_ node: GraphNode) {
        guard node.inputs.count == 2, node.outputs.count == 1 else { return nil }
        switch (node.domain, node.operation) {
        case ("", "MatMul"): (scale, isTransposed) = (1, false)
        case ("com.microsoft", "FusedMatMul"):
            guard case .float(let scale) = node["alpha"] ?? .float(1), scale != 0, scale.isFinite,
                ["transA", "transBatchA", "transBatchB"].allSatisfy({ node[$0] ?? .integer(0) == .integer(0) }),
                case .integer(let transposes) = node["transB"] ?? .integer(0), 0...1 ~= transposes
            else { return nil }
            (self.scale, isTransposed) = (scale, transposes == 1)
        default: return nil
        }
    }
}
