// Operators that attend.
#include <algorithm>

#include "attention.h"
#include "full-attention.h"
#include "operator-context.h"

namespace onnx {

namespace {

struct CrossAttention {
  LentTensor queries;
  LentTensor keys;
  LentTensor values;

  void assertDims() const {
    const bool hasRanks = queries.dims.size() == 3 && keys.dims.size() == 4 && values.dims.size() == 4;
    if (!hasRanks || keys.dims[0] != 1 || values.dims != std::vector<int64_t>{1, keys.dims[1], keys.dims[3], keys.dims[2]} ||
        queries.dims[2] != keys.dims[1] * keys.dims[2] || keys.dims[2] < 1 || keys.dims[3] < 1)
      throw std::runtime_error("CrossAttention: the dims of queries, keys and values do not fit together");
  }

  template <typename Number> void compute(OrtKernelContext *context) const {
    const auto heads = keys.dims[1], size = keys.dims[2], positions = keys.dims[3];
    const auto rows = queries.dims[0] * queries.dims[1];
    float *const results = output(context, 0, queries.dims);
    float *const weights = output(context, 1, {1, heads, rows, positions});
    forEach(context, heads, [&](int64_t head) {
      attend(HeadAttention<Number>{
          .rows = rows,
          .positions = positions,
          .size = size,
          .queries = static_cast<const float *>(queries.data) + head * size,
          .keys = static_cast<const Number *>(keys.data) + head * size * positions,
          .keyStride = positions,
          .values = static_cast<const Number *>(values.data) + head * size * positions,
          .weights = weights + head * rows * positions,
          .results = results + head * size,
          .stride = heads * size,
      });
    });
  }
};

/**
 * `CrossAttention`: tokens of several texts attend to the same audio.
 *
 * Takes scaled queries, [texts, tokens, heads * size], and of the audio keys, [1, heads, size, positions], and values, [1, heads, positions, size],
 * both as floats or as bfloat16. Returns what the tokens read, in the queries' dims, and how much of each position:
 * [1, heads, texts * tokens, positions].
 */
void crossAttention(OrtKernelContext *context) {
  const CrossAttention attention{input(context, 0, floats), input(context, 1), input(context, 2)};
  attention.assertDims();
  if (attention.keys.type != attention.values.type) throw std::runtime_error("CrossAttention: keys and values are of different types");
  if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT) attention.compute<float>(context);
  else if (attention.keys.type == ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16) attention.compute<Bfloat16>(context);
  else throw std::runtime_error("CrossAttention: keys and values are neither floats nor bfloat16");
}

/**
 * `SelfAttention`: new tokens of several texts attend to the tokens before them and to themselves.
 *
 * Takes queries (scaled), keys and values of the new tokens, joined: [texts, tokens, 3 * heads * size]; keys, [pasts, heads, size, length], and values,
 * [pasts, heads, length, size], of the tokens before; and for each text which of the pasts it continues, as int64. All but those are floats. Returns
 * what the tokens read, [texts, tokens, heads * size], and keys and values of all tokens of each text, the new ones included.
 */
void selfAttention(OrtKernelContext *context) {
  const auto joined = input(context, 0, floats), keys = input(context, 1, floats), values = input(context, 2, floats);
  const auto sources = input(context, 3, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
  const bool hasRanks = joined.dims.size() == 3 && keys.dims.size() == 4 && values.dims.size() == 4;
  if (!hasRanks || values.dims != std::vector<int64_t>{keys.dims[0], keys.dims[1], keys.dims[3], keys.dims[2]} ||
      joined.dims[2] != 3 * keys.dims[1] * keys.dims[2] || sources.dims != std::vector<int64_t>{joined.dims[0]})
    throw std::runtime_error("SelfAttention: the dims of tokens, pasts and sources do not fit together");
  const auto texts = joined.dims[0], tokens = joined.dims[1], heads = keys.dims[1], size = keys.dims[2], length = keys.dims[3];
  const auto width = heads * size, grown = length + tokens;
  const auto *source = static_cast<const int64_t *>(sources.data);
  for (int64_t text = 0; text < texts; text++)
    if (source[text] < 0 || source[text] >= keys.dims[0]) throw std::runtime_error("SelfAttention: a text continues one that does not exist");
  float *const results = output(context, 0, {texts, tokens, width});
  float *const allKeys = output(context, 1, {texts, heads, size, grown});
  float *const allValues = output(context, 2, {texts, heads, grown, size});
  forEach(context, texts * heads, [&](int64_t number) {
    const auto text = number / heads, head = number % heads;
    const auto past = source[text] * heads + head;
    const auto *pastKeys = static_cast<const float *>(keys.data) + past * size * length;
    const auto *pastValues = static_cast<const float *>(values.data) + past * length * size;
    const auto *queries = static_cast<const float *>(joined.data) + text * tokens * 3 * width + head * size;
    float *const ownKeys = allKeys + number * size * grown;
    float *const ownValues = allValues + number * grown * size;
    for (int64_t at = 0; at < size; at++) {
      std::copy_n(pastKeys + at * length, length, ownKeys + at * grown);
      for (int64_t token = 0; token < tokens; token++) ownKeys[at * grown + length + token] = queries[token * 3 * width + width + at];
    }
    std::copy_n(pastValues, length * size, ownValues);
    for (int64_t token = 0; token < tokens; token++)
      std::copy_n(queries + token * 3 * width + 2 * width, size, ownValues + (length + token) * size);
    std::vector<float> weights(static_cast<size_t>(grown));
    for (int64_t token = 0; token < tokens; token++)
      attend(HeadAttention<float>{
          .rows = 1,
          .positions = length + token + 1,
          .size = size,
          .queries = queries + token * 3 * width,
          .keys = ownKeys,
          .keyStride = grown,
          .values = ownValues,
          .weights = weights.data(),
          .results = results + (text * tokens + token) * width + head * size,
          .stride = width,
      });
  });
}

/**
 * `FullAttention`: all positions of an audio attend to each other. Takes queries (scaled), keys and values, joined:
 * [audios, positions, 3 * heads * size], and the number of heads as int64. Returns what the positions read, [audios, positions, heads * size].
 */
void fullAttention(OrtKernelContext *context) {
  const auto joined = input(context, 0, floats), headCount = input(context, 1, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64);
  const auto heads = headCount.dims == std::vector<int64_t>{1} ? *static_cast<const int64_t *>(headCount.data) : 0;
  if (joined.dims.size() != 3 || heads < 1 || joined.dims[2] % (3 * heads) != 0 || joined.dims[2] == 0)
    throw std::runtime_error("FullAttention: the dims of positions and the number of heads do not fit together");
  const auto positions = joined.dims[1], width = joined.dims[2] / 3, size = width / heads;
  if (positions > maxPositions || size > maxHeadSize) throw std::runtime_error("FullAttention: there are too many positions, or a head is too large");
  float *const results = output(context, 0, {joined.dims[0], positions, width});
  forEach(context, joined.dims[0] * heads, [&](int64_t number) {
    const auto audio = number / heads, head = number % heads;
    const auto *const queries = static_cast<const float *>(joined.data) + audio * positions * 3 * width + head * size;
    attendFully({
        .positions = positions,
        .size = size,
        .queries = queries,
        .keys = queries + width,
        .values = queries + 2 * width,
        .stride = 3 * width,
        .results = results + audio * positions * width + head * size,
        .resultStride = width,
    });
  });
}

} // namespace

const OrtCustomOp crossAttentionOp = define<crossAttention, 3, 2>([](const OrtCustomOp *) { return "CrossAttention"; });
const OrtCustomOp selfAttentionOp = define<selfAttention, 4, 3>([](const OrtCustomOp *) { return "SelfAttention"; });
const OrtCustomOp fullAttentionOp = define<fullAttention, 2, 1>([](const OrtCustomOp *) { return "FullAttention"; });

} // namespace onnx
