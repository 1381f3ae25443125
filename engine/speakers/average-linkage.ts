/** A group of unit vectors: their sum and count. */
export interface VectorGroup {
  sum: Float32Array
  size: number
}

/** A merge of two groups: the merged group keeps the index `first`; `second` is no longer used. */
interface Merge {
  first: number
  second: number
  similarity: number
}

/**
 * Returns all merges of average-linkage clustering, the most similar first. The similarity of two groups is the mean cosine
 * between their members, which for unit vectors is the product of the groups' means.
 *
 * Uses nearest-neighbor chains (Murtagh 1983), so that time and memory are quadratic in the number of groups, not cubic.
 */
export function listMerges(groups: readonly VectorGroup[]): Merge[] {
  const count = groups.length
  const similarities = createSimilarities(groups)
  const sizes = groups.map(({ size }) => size)
  const isMerged = new Uint8Array(count)
  const merges: Merge[] = []
  const chain: number[] = []

  while (merges.length < count - 1) {
    if (chain.length === 0) chain.push(isMerged.indexOf(0))
    const last = chain.at(-1) ?? 0
    const previous = chain.at(-2)
    const nearest = findNearest(last, previous)
    if (nearest !== previous) {
      chain.push(nearest)
      continue
    }
    chain.length -= 2
    merge(Math.min(last, nearest), Math.max(last, nearest))
  }
  return merges.toSorted((a, b) => b.similarity - a.similarity)

  /** Ties go to `preferred`; otherwise the chain would never end. */
  function findNearest(group: number, preferred: number | undefined): number {
    let nearest = preferred ?? -1
    let maxSimilarity = preferred === undefined ? Number.NEGATIVE_INFINITY : similarities.at(group, preferred)
    for (let other = 0; other < count; other += 1) {
      if (isMerged[other] || other === group) continue
      const similarity = similarities.at(group, other)
      if (similarity > maxSimilarity) [nearest, maxSimilarity] = [other, similarity]
    }
    return nearest
  }

  function merge(first: number, second: number): void {
    merges.push({ first, second, similarity: similarities.at(first, second) })
    const [firstSize, secondSize] = [sizes[first] ?? 0, sizes[second] ?? 0]
    for (let other = 0; other < count; other += 1) {
      if (isMerged[other] || other === first || other === second) continue
      const sum = similarities.at(first, other) * firstSize + similarities.at(second, other) * secondSize
      similarities.set(first, other, sum / (firstSize + secondSize))
    }
    sizes[first] = firstSize + secondSize
    isMerged[second] = 1
  }
}

/** Cuts the dendrogram: applies merges with at least the similarity `threshold` until `minGroups` are left. Returns a label per group. */
export function cutTree(
  count: number,
  merges: readonly Merge[],
  { threshold = Number.NEGATIVE_INFINITY, minGroups = 1 }: { threshold?: number; minGroups?: number },
): number[] {
  const parents = Array.from({ length: count }, (_, index) => index)
  const root = (index: number): number => {
    let at = index
    while (parents[at] !== at) at = parents[at] ?? at
    parents[index] = at
    return at
  }
  const applied = merges.filter(({ similarity }) => similarity >= threshold).slice(0, Math.max(0, count - minGroups))
  for (const { first, second } of applied) parents[root(second)] = root(first)
  const labels = new Map<number, number>()
  return parents.map((_, index) => {
    const at = root(index)
    const label = labels.get(at) ?? labels.size
    labels.set(at, label)
    return label
  })
}

function createSimilarities(groups: readonly VectorGroup[]) {
  const count = groups.length
  const values = new Float32Array(count * count)
  for (const [index, { sum, size }] of groups.entries()) {
    for (let other = 0; other < index; other += 1) {
      const near = groups[other]
      if (near) set(index, other, dot(sum, near.sum) / (size * near.size))
    }
  }
  function set(a: number, b: number, similarity: number): void {
    values[a * count + b] = similarity
    values[b * count + a] = similarity
  }
  return { at: (a: number, b: number) => values[a * count + b] ?? 0, set }
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** Returns the vector scaled to length 1; undefined for a zero vector or one with NaN or infinite values. */
export function normalize(vector: Float32Array): Float32Array | undefined {
  const length = Math.sqrt(dot(vector, vector))
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : undefined
}
