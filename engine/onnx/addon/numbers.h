#pragma once
// What is computed of all numbers of a list, such as the logits of a vocabulary.
#include <cstdint>
#include <vector>

namespace onnx {

/** Returns the logarithm of the sum of the exponentials, to six digits; -infinity where all numbers are. */
double logSumExp(const float *numbers, int64_t count);

/** Returns the indices of the largest numbers, the largest first, at most `most` of them, without those of -infinity; of equals the first. */
std::vector<int64_t> indicesOfLargest(const float *numbers, int64_t count, int64_t most);

} // namespace onnx
