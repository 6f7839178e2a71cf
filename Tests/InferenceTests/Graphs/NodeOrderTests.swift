import Testing

@testable import SynthGraphRewriting
@testable import SynthGraphs
@testable import SynthInference

@Suite("Node order")
struct NodeOrderTests {
    private func node(_ output: String, _ inputs: [String] = []) -> GraphNode {
        GraphNode("Sum", inputs: inputs, outputs: [output])
    }

    @Test("A node comes after the nodes whose outputs it reads and directly before the first node that reads it")
    func latest() throws {
        let nodes = [
            node("end", ["b", "c"]), node("c", ["b", "late"]), node("late"), node("unread", ["a"]),
            node("b", ["a", "", "a"]),
            node("a", ["input"]),
        ]
        let order = try NodeOrder.latest(nodes, for: ["end"])
        #expect(order.map { $0.outputs[0] } == ["a", "b", "late", "c", "end", "unread"])
        #expect(try NodeOrder.latest([], for: ["end"]).isEmpty)
    }

    @Test("A cycle is rejected, even if no output depends on it", arguments: [["a"], ["other"], []])
    func circle(outputs: [String]) {
        let nodes = [node("other"), node("a", ["b"]), node("b", ["c"]), node("c", ["a"])]
        #expect(throws: InferenceError.refused("the nodes form a cycle")) {
            try NodeOrder.latest(nodes, for: outputs)
        }
        expectRefusal { _ = try NodeOrder.latest([node("a", ["a"])], for: outputs) }
    }

    @Test("A long chain does not cause a stack overflow")
    func chain() throws {
        let nodes = (0..<200_000).map { node("\($0)", ["\($0 + 1)"]) }
        let order = try NodeOrder.latest(nodes, for: ["0"])
        #expect(order.first?.outputs == ["199999"] && order.last?.outputs == ["0"] && order.count == nodes.count)
    }
}
