import { expect, test } from 'vitest'
import { cutTree, listMerges, normalize } from './average-linkage.ts'
import { planWindows } from './testing/windows.ts'

function toGroups(vectors: number[][]) {
  return vectors.map((vector) => ({ sum: normalize(new Float32Array(vector)) ?? new Float32Array(2), size: 1 }))
}

test('no group and one group have no merges', () => {
  expect(listMerges([])).toEqual([])
  expect(listMerges(toGroups([[1, 0]]))).toEqual([])
  expect(cutTree(0, [], {})).toEqual([])
  expect(cutTree(1, [], {})).toEqual([0])
})

test('two groups merge at their cosine', () => {
  const [merge] = listMerges(
    toGroups([
      [1, 0],
      [1, 1],
    ]),
  )
  expect(merge).toMatchObject({ first: 0, second: 1 })
  expect(merge?.similarity).toBeCloseTo(Math.SQRT1_2, 5)
})

test('identical vectors are one group at any threshold below 1', () => {
  const groups = toGroups(Array.from({ length: 20 }, () => [3, 4]))
  const merges = listMerges(groups)
  expect(merges).toHaveLength(19)
  expect(new Set(cutTree(20, merges, { threshold: 0.999 })).size).toBe(1)
})

test('the similarity of two groups is the mean cosine between their members', () => {
  const groups = toGroups([
    [1, 0],
    [0.96, 0.28],
    [0, 1],
  ])
  const [, last] = listMerges(groups)
  expect(last?.similarity).toBeCloseTo((0 + 0.28) / 2, 5)
})

test('a group is weighted by its size', () => {
  const many = { sum: new Float32Array([3, 0]), size: 3 }
  const [first = many, second = many] = toGroups([
    [0.8, 0.6],
    [-1, 0.01],
  ])
  const [, last] = listMerges([many, first, second])
  const [x, y] = [second.sum[0] ?? 0, second.sum[1] ?? 0]
  expect(last?.similarity).toBeCloseTo((3 * x + 0.8 * x + 0.6 * y) / 4, 5)
})

test('cuts below the similarity threshold, or at a number of groups', () => {
  const groups = toGroups([
    [1, 0],
    [1, 0.1],
    [0, 1],
    [0.1, 1],
  ])
  const merges = listMerges(groups)
  expect(cutTree(4, merges, { threshold: 0.9 })).toEqual([0, 0, 1, 1])
  expect(cutTree(4, merges, { minGroups: 2 })).toEqual([0, 0, 1, 1])
  expect(new Set(cutTree(4, merges, { minGroups: 3 })).size).toBe(3)
  expect(cutTree(4, merges, { threshold: -1 })).toEqual([0, 0, 0, 0])
  expect(cutTree(4, merges, { threshold: 1.1 })).toEqual([0, 1, 2, 3])
})

test('merges in the order of a naive implementation', () => {
  const windows = planWindows({ turns: [0, 1, 2, 0], windowsPerTurn: 4, scatter: 1.2 })
  const groups = windows.map(({ embedding }) => ({ sum: embedding, size: 1 }))
  const similarities = listMerges(groups).map(({ similarity }) => similarity)
  expect(similarities).toEqual(
    mergeNaively(windows.map(({ embedding }) => embedding)).map((value) => expect.closeTo(value, 4)),
  )
})

test('a zero vector and one with NaN cannot be normalized', () => {
  expect(normalize(new Float32Array(4))).toBeUndefined()
  expect(normalize(new Float32Array([1, Number.NaN]))).toBeUndefined()
  expect(normalize(new Float32Array([0, 2]))).toEqual(new Float32Array([0, 1]))
})

/** Repeatedly merges the two most similar groups. */
function mergeNaively(vectors: Float32Array[]): number[] {
  const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  let groups = vectors.map((vector) => [vector])
  const found: number[] = []
  while (groups.length > 1) {
    let best = { first: 0, second: 1, similarity: Number.NEGATIVE_INFINITY }
    for (const [second, b] of groups.entries()) {
      for (const [first, a] of groups.slice(0, second).entries()) {
        const pairs = a.flatMap((left) => b.map((right) => cosine(left, right)))
        const similarity = pairs.reduce((sum, value) => sum + value, 0) / pairs.length
        if (similarity > best.similarity) best = { first, second, similarity }
      }
    }
    found.push(best.similarity)
    const joined = [...(groups[best.first] ?? []), ...(groups[best.second] ?? [])]
    groups = [...groups.filter((_, index) => index !== best.first && index !== best.second), joined]
  }
  return found
}
