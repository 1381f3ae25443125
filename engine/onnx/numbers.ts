import { createRequire } from 'node:module'
import { builtAddonPath } from './onnx-runtime.ts'

/** The part of the addon in addon/numbers.cc, which needs no onnxruntime. */
interface NumbersAddon {
  logSumExp(numbers: Float32Array, start: number, end: number): number
  indicesOfLargest(numbers: Float32Array, most: number): number[]
}

// A token of a text takes several passes over all logits of a vocabulary: in JavaScript they took a tenth as long as the model.
const { onnx: addon } = createRequire(import.meta.url)(builtAddonPath) as { onnx: NumbersAddon } // the interface above describes it

/** Returns the logarithm of the sum of the exponentials of `numbers` from `start` to before `end`, to six digits; -Infinity where all are. */
export function logSumExp(numbers: Float32Array, start = 0, end = numbers.length): number {
  return addon.logSumExp(numbers, start, end)
}

/** Returns the indices of the largest numbers, the largest first, at most `most` of them, without those of -Infinity; of equals the first. */
export function indicesOfLargest(numbers: Float32Array, most: number): number[] {
  return addon.indicesOfLargest(numbers, most)
}
