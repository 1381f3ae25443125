import { setImmediate } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { createOnnxRuntime } from './onnx-runtime.ts'
import type { OnnxRuntime } from './onnx-runtime.ts'

let runtime: OnnxRuntime

beforeAll(() => {
  runtime = createOnnxRuntime()
})

test('is a copy of the given numbers, and read returns another', () => {
  const numbers = Float32Array.of(9, 1, 2).subarray(1)
  const tensor = runtime.floatTensor(numbers, [2, 1])
  numbers.fill(7)
  tensor.read().fill(8)

  expect(tensor.dims).toEqual([2, 1])
  expect(tensor.read()).toEqual(Float32Array.of(1, 2))
})

test.each([
  ['the first axis', 0, [1, 1], [2, 3, 2], [7, 8, 9, 10, 11, 12, 7, 8, 9, 10, 11, 12]],
  ['an axis between', 1, [2, 0], [2, 2, 2], [5, 6, 1, 2, 11, 12, 7, 8]],
  ['the last axis', 2, [1], [2, 3, 1], [2, 4, 6, 8, 10, 12]],
  ['no rows', 1, [], [2, 0, 2], []],
])('selects rows of an axis: %s', (_, axis, indices, dims, numbers) => {
  const tensor = runtime.floatTensor(
    Float32Array.from({ length: 12 }, (_, at) => at + 1),
    [2, 3, 2],
  )

  const selected = tensor.select(axis, indices)
  tensor.release()

  expect(selected.dims).toEqual(dims)
  expect([...selected.read()]).toEqual(numbers)
})

test('of integers is not read', () => {
  expect(() => runtime.intTensor([1], [1]).read()).toThrow('The tensor holds integers')
})

test('that was released rejects every use', () => {
  const tensor = runtime.floatTensor(new Float32Array(2), [1, 2])
  tensor.release()
  tensor.release()

  expect(() => tensor.read()).toThrow('The tensor was released')
  expect(() => tensor.select(0, [0])).toThrow('The tensor was released')
})

test.each([
  [[3], /2 numbers do not fill dims \[3\]/],
  [[2, -1], /Invalid dims/],
  [[0.5, 4], /Invalid dims/],
  [[2 ** 40, 2 ** 40], /too large/],
  [[Number.NaN], /Invalid dims/],
])('is not made with dims %j', (dims, message) => {
  expect(() => runtime.floatTensor(new Float32Array(2), dims)).toThrow(message)
  expect(() => runtime.intTensor([1, 2], dims)).toThrow(message)
})

test.each([
  [0, [2], /Index 2 is out of range: the axis has 2 rows/],
  [0, [-1], /Invalid indices/],
  [0, [0.5], /Invalid indices/],
  [1, [0], /has no such axis/],
  [-1, [0], /has no such axis/],
])('is not selected from along axis %d by %j', (axis, indices, message) => {
  expect(() => runtime.floatTensor(new Float32Array(2), [2]).select(axis, indices)).toThrow(message)
})

test('frees its memory at once when released', () => {
  const tensor = runtime.floatTensor(new Float32Array(25_000_000).fill(1), [25_000_000])
  const held = process.memoryUsage.rss()
  tensor.release()
  const after = process.memoryUsage.rss()

  expect(held - after).toBeGreaterThan(90_000_000)
})

test('that nobody releases is freed by the garbage collector before memory adds up', async () => {
  const before = process.memoryUsage.rss()
  const numbers = new Float32Array(2_500_000).fill(1)
  for (let at = 0; at < 400; at += 1) {
    runtime.floatTensor(numbers, [numbers.length])
    await setImmediate() // the garbage collector frees between two turns of the event loop
  }

  expect(process.memoryUsage.rss() - before).toBeLessThan(1_000_000_000)
})
