"""How each graph is derived from another one."""

from collections import namedtuple

# `source` is the name of the source graph, `how` a short description for the table, and `make` a module and a function that converts one
# file to another.
Recipe = namedtuple("Recipe", ["source", "how", "make"])

PUBLISHED = Recipe(None, "as published", None)
COMMON = "onnxconverter-common's float16, float inputs and outputs"
# The recipes, keyed by name. Each name starts with the name of the published graph.
RECIPES = {
    "kokoro": PUBLISHED,
    "kokoro-float": Recipe("kokoro", "weights converted to the floats that they represent", "dequantise.dequantise"),
    "kokoro-plain": Recipe("kokoro-float", "ONNX's own operators instead of ONNX Runtime's", "plain.plain"),
    "kokoro-norms": Recipe("kokoro-plain", "InstanceNormalization instead of norms in separate steps", "norms.put_back"),
    "kokoro-fp16": Recipe("kokoro-plain", COMMON, "precision.common"),
    "kokoro-fp16-blocks": Recipe(
        "kokoro-plain", "onnxruntime.transformers.float16, more operators blocked", "precision.transformers"),
    "kokoro-simple": Recipe("kokoro-plain", "onnxsim", "tools.simplify"),
    "kokoro-basic": Recipe("kokoro-plain", "ONNX Runtime offline, basic", "tools.basic"),
    "kokoro-extended": Recipe("kokoro-plain", "ONNX Runtime offline, extended", "tools.extended"),
    "kokoro-q8": Recipe("kokoro-plain", "quantize_dynamic, QUInt8", "quantised.dynamic"),
    "kokoro-q8-channels": Recipe("kokoro-plain", "quantize_dynamic, QUInt8 by channel", "quantised.dynamic_channels"),
    "kokoro-q8f16": Recipe("kokoro-q8", f"the same, then {COMMON}", "precision.common_quantized"),
    "kokoro-qdq": Recipe("kokoro-plain", "quantize_static, QDQ", "quantised.static"),
    "kokoro-qdq-channels": Recipe("kokoro-plain", "quantize_static, QDQ, MatMul by channel", "quantised.static_channels"),
    "kokoro-qdq-square": Recipe(
        "kokoro-plain", "quantize_static, QDQ, square MatMul by channel", "quantised.static_square"),
    "kokoro-q4": Recipe("kokoro-plain", "MatMulNBits, blocks of 32", "quantised.four_bits"),
    "kokoro-q4f16": Recipe("kokoro-q4", f"the same, then {COMMON}", "precision.common_quantized"),
    "kokoro-opset": Recipe("kokoro-plain", "version_converter, 20 to 22", "tools.raise_to_22"),
    "joe": PUBLISHED,
    "joe-simple": Recipe("joe", "onnxsim", "tools.simplify"),
    "joe-basic": Recipe("joe", "ONNX Runtime offline, basic", "tools.basic"),
    "joe-extended": Recipe("joe", "ONNX Runtime offline, extended", "tools.extended"),
    "joe-fp16": Recipe("joe", COMMON, "precision.common"),
    "joe-fp16-blocks": Recipe(
        "joe", "onnxruntime.transformers.float16, more operators blocked", "precision.transformers"),
    "joe-q8": Recipe("joe", "quantize_dynamic, QUInt8", "quantised.dynamic"),
    "joe-qdq": Recipe("joe", "quantize_static, QDQ", "quantised.static"),
    "joe-opset": Recipe("joe", "version_converter, 15 to 21", "tools.raise_to_21"),
}
