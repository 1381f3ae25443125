import { createRequire } from 'node:module'
import { builtAddonPath } from './onnx-runtime.ts'

/** The part of the addon in addon/numbers.cc, which does not need onnxruntime. */
interface NumbersAddon {
  logSumExp(numbers: Float32Array, start: number, end: number): number
  indicesOfLargest(numbers: Float32Array, most: number): number[]
}

// Each token takes several passes over the logits of the whole vocabulary: in JavaScript they took a tenth as long as the model.
const { onnx: addon } = createRequire(import.meta.url)(builtAddonPath) as { onnx: NumbersAddon } // the interface above describes it

/** Returns log(sum(exp(x))) of `numbers` from `start` up to but excluding `end`, to six digits; -Infinity if all of them are. */
export function logSumExp(numbers: Float32Array, start = 0, end = numbers.length): number {
  return addon.logSumExp(numbers, start, end)
}

/** Returns the indices of at most `most` largest numbers, the largest first and without -Infinity; of equal numbers, the first one wins. */
export function indicesOfLargest(numbers: Float32Array, most: number): number[] {
  return addon.indicesOfLargest(numbers, most)
}
