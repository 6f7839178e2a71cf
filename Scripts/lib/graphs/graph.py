"""An ONNX graph whose nodes can be replaced."""

import collections

import numpy as np
import onnx
from onnx import helper, numpy_helper


class Graph:
    def __init__(self, path):
        self.model = onnx.load(path)
        graph = self.model.graph
        self.constants = {tensor.name: tensor for tensor in graph.initializer}
        self.makers = {name: node for node in graph.node for name in node.output if name}
        self.readers = collections.defaultdict(list)
        for node in graph.node:
            for name in node.input:
                self.readers[name].append(node)

    @property
    def nodes(self):
        return list(self.model.graph.node)

    def array(self, name):
        """Returns the values of a constant, or None for any other tensor."""
        if name in self.constants:
            return numpy_helper.to_array(self.constants[name])
        node = self.makers.get(name)
        if node is not None and node.op_type == "Constant" and node.attribute[0].name == "value":
            return numpy_helper.to_array(node.attribute[0].t)
        return None

    def maker(self, name, *kinds):
        """Returns the node that computes a tensor, if it has one of these types."""
        node = self.makers.get(name)
        return node if node is not None and node.op_type in kinds else None

    def reader(self, name, *kinds):
        """Returns the only node that reads a tensor, if it has one of these types."""
        found = self.readers[name]
        return found[0] if len(found) == 1 and found[0].op_type in kinds else None

    def constant(self, name, numbers):
        """Adds a constant, unless there is one with this name, and returns the name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(numbers), name)
        return name

    def put(self, kind, inputs, outputs, attributes=(), **more):
        """Adds a node that computes the outputs instead of their previous nodes."""
        node = helper.make_node(kind, inputs, outputs, name=outputs[0], **more)
        node.attribute.extend(attributes)
        for name in outputs:
            self.makers[name] = node

    def save(self, path):
        """Writes the nodes on which the outputs depend, in topological order."""
        graph = self.model.graph
        ordered, seen, used = [], set(), {value.name for value in graph.output}
        stack = [(value.name, False) for value in graph.output]
        while stack:
            name, is_left = stack.pop()
            node = self.makers.get(name)
            if node is None or (id(node) in seen and not is_left):
                continue
            if is_left:
                ordered.append(node)
                continue
            seen.add(id(node))
            stack.append((name, True))
            used.update(node.input)
            stack += [(one, False) for one in node.input]
        nodes = [onnx.NodeProto.FromString(node.SerializeToString()) for node in ordered]
        tensors = [tensor for name, tensor in self.constants.items() if name in used]
        tensors = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in tensors]
        for field, values in (("node", nodes), ("initializer", tensors), ("value_info", [])):
            graph.ClearField(field)
            getattr(graph, field).extend(values)
        onnx.save(self.model, path)


def other(node, name):
    """Returns the other input of a node with two inputs."""
    return node.input[1] if node.input[0] == name else node.input[0]
