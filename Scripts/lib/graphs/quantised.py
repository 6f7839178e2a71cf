"""Quantizes in the same way as ONNX Runtime's tools."""

import onnx
from onnxruntime import quantization

from graphs import texts
from graphs.runs import example


# The default type for tensors whose type cannot be inferred.
KIND = {"DefaultTensorType": onnx.TensorProto.FLOAT}


def dynamic(source, target):
    quantization.quantize_dynamic(source, target, weight_type=quantization.QuantType.QUInt8, extra_options=KIND)


def dynamic_channels(source, target):
    quantization.quantize_dynamic(source, target, weight_type=quantization.QuantType.QUInt8, per_channel=True, extra_options=KIND)


def static(source, target):
    _static(source, target, ["Conv", "MatMul", "Gemm"])


def static_channels(source, target):
    _static(source, target, ["MatMul"], per_channel=True)


def static_square(source, target):
    """Quantizes only square matrices, for which column scales could be mistaken for row scales."""
    graph = onnx.load(source).graph
    square = {one.name for one in graph.initializer if len(one.dims) == 2 and one.dims[0] == one.dims[1]}
    nodes = [node.name for node in graph.node if node.op_type == "MatMul" and node.input[1] in square]
    _static(source, target, ["MatMul"], per_channel=True, nodes_to_quantize=nodes)


def _static(source, target, operators, **options):
    quantization.quantize_static(
        source, target, _Texts(source), quant_format=quantization.QuantFormat.QDQ, op_types_to_quantize=operators, **options)


def four_bits(source, target):
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

    work = MatMulNBitsQuantizer(onnx.load(source), block_size=32, is_symmetric=True)
    work.process()
    work.model.save_model_to_file(target)


class _Texts(quantization.CalibrationDataReader):
    """Two short texts that determine the value ranges of inner tensors."""

    def __init__(self, model):
        self.left = [example(model, ids) for ids in (texts.IDS, texts.IDS[:16] + [0])]

    def get_next(self):
        return self.left.pop() if self.left else None
