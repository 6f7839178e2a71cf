package import CSynthONNXRuntime
import CSynthVectorKernels
package import SynthGraphs
package import SynthONNXRuntime

/// A custom operator that multiplies a few rows by a matrix of weights.
///
/// ONNX Runtime copies the matrix into a different order before each product, which pays off only for many rows. A text
/// decoder multiplies one row per hypothesis, so copying its token table takes several times as long as the product
/// itself.
///
/// The operator's inputs are the rows, with the shape [..., depth], and the matrix, with the shape [depth, columns] or,
/// if the attribute `transposed` is 1, [columns, depth]. The output has the shape [..., columns].
package final class NarrowProduct: CustomKernel {
    package static let name: StaticString = "NarrowProduct"
    private static let transposed = "transposed"
    /// The number of columns that a thread computes at a time.
    private static let share = 256

    package let api: OrtApi
    private let isTransposed: Bool

    package init(_ attributes: KernelAttributes) throws(InferenceError) {
        api = attributes.api
        isTransposed = try attributes.integer(Self.transposed) != 0
    }

    package static var description: OrtCustomOp {
        var description = OrtCustomOp.ofFloats
        description.GetName = { _ in NarrowProduct.operatorName }
        description.GetInputTypeCount = { _ in 2 }
        description.CreateKernelV2 = { NarrowProduct.create($1, $2, $3) }
        description.KernelComputeV2 = { NarrowProduct.compute($0, $1) }
        return description
    }

    /// Creates a node with this operator.
    package static func node(_ inputs: [String], _ output: String, isTransposed: Bool) -> GraphNode {
        GraphNode(
            name.description, domain: GraphNode.ownDomain, inputs: inputs, outputs: [output],
            attributes: [GraphAttribute(transposed, .integer(isTransposed ? 1 : 0))])
    }

    /// Uses the operator in decoders with two branches, one for the first run and one for the later runs, in which each
    /// run adds a token to every hypothesis (as in Optimum's merged decoders). Other graphs are left unchanged.
    static func replaceProducts(in graph: inout ModelGraph) throws {
        let matrices = Set(graph.initializers.filter { $0.element == .float32 && $0.shape.count == 2 }.map(\.name))
        for index in graph.nodes.indices where graph.nodes[index].operation == "If" {
            try graph.nodes[index].changeNodes(inGraph: "then_branch") { node in
                guard let product = PlainProduct(node), product.scale == 1, matrices.contains(node.inputs[1]) else {
                    return
                }
                node = self.node(node.inputs, node.outputs[0], isTransposed: product.isTransposed)
                graph.operatorSets[GraphNode.ownDomain] = 1
            }
        }
    }

    package func compute(_ run: KernelRun) throws(InferenceError) {
        let (input, matrix) = (try run.input(0), try run.input(1))
        guard matrix.shape.count == 2, let depth = input.shape.last, depth == matrix.shape[isTransposed ? 1 : 0],
            let columns = Int(exactly: matrix.shape[isTransposed ? 0 : 1])
        else { throw InferenceError(.run, "the input shapes of NarrowProduct do not match") }
        let shape = Array(input.shape.dropLast()) + [Int64(columns)]
        guard let output = try run.output(shape) else { return }
        guard depth > 0, let rows = input.numbers, let numbers = matrix.numbers else {
            output.update(repeating: 0, count: Int(shape.reduce(1, *)))
            return
        }
        let work = Work(
            rows: rows, rowCount: Int(input.shape.dropLast().reduce(1, *)), depth: Int(depth), matrix: numbers,
            columns: columns, isTransposed: isTransposed, output: output)
        try run.onThreads((columns - 1) / Self.share + 1, work) { NarrowProduct.compute($0, part: $1) }
    }

    private struct Work {
        let rows: UnsafePointer<Float>
        let rowCount: Int
        let depth: Int
        let matrix: UnsafePointer<Float>
        let columns: Int
        let isTransposed: Bool
        let output: UnsafeMutablePointer<Float>
    }

    private static func compute(_ work: UnsafeMutableRawPointer?, part: Int) {
        guard let work = work?.assumingMemoryBound(to: Work.self).pointee else { return }
        let first = part * share
        vector_narrow_product(
            work.rows, work.rowCount, work.depth, work.matrix, work.columns, work.isTransposed ? 1 : 0, first,
            min(first + share, work.columns), work.output)
    }
}
