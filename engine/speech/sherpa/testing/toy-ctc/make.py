"""Makes model.onnx, a network in the format of Omnilingual ASR that knows three tokens (needs numpy and onnx).

    python make.py

A frame of 20 ms with samples around 0 is blank, around 0.5 the token "▁c", around -0.5 the token "b", so that a test controls the
timing of the tokens.
"""

from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FRAME_SAMPLES = 320
weights = {
    "shape": np.array([1, -1, FRAME_SAMPLES], np.int64),
    "weight": np.array([[0, 1, -1, 2]], np.float32),
    "bias": np.array([0.3, 0, 0, -1], np.float32),
}
nodes = [
    helper.make_node("Reshape", ["x", "shape"], ["frames"]),
    helper.make_node("ReduceMean", ["frames"], ["mean"], axes=[2], keepdims=1),
    helper.make_node("MatMul", ["mean", "weight"], ["scores"]),
    helper.make_node("Add", ["scores", "bias"], ["logits"]),
]
sound = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "samples"])
logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, "frames", 4])
arrays = [numpy_helper.from_array(array, name) for name, array in weights.items()]
model = helper.make_model(
    helper.make_graph(nodes, "toy", [sound], [logits], arrays), opset_imports=[helper.make_opsetid("", 17)]
)
model.ir_version = 8
for key, value in {"model_type": "omnilingual-asr", "vocab_size": 4, "subsampling_factor": 2, "version": 1}.items():
    model.metadata_props.add(key=key, value=str(value))
onnx.save(model, Path(__file__).parent / "model.onnx")
