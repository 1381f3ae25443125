import type { ProductCost } from './product-cost.ts'

const mebibyte = 1024 ** 2

/** `183 MB`. */
export function megabytes(bytes: number): string {
  const value = bytes / mebibyte
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} MB`
}

/** `server 183 MB, engine 90 MB`, the largest first. */
export function describeMemory(cost: ProductCost): string {
  return Object.entries(cost)
    .toSorted(([, a], [, b]) => b.memoryBytes - a.memoryBytes)
    .map(([role, { memoryBytes }]) => `${role} ${megabytes(memoryBytes)}`)
    .join(', ')
}

/** Returns CPU seconds of all roles, or of some. */
export function sumCpu(cost: ProductCost, roles = Object.keys(cost)): number {
  return Object.entries(cost).reduce((sum, [role, { cpuSeconds }]) => sum + (roles.includes(role) ? cpuSeconds : 0), 0)
}

/** Returns the memory of all roles, or of some, in bytes. */
export function sumMemory(cost: ProductCost, roles = Object.keys(cost)): number {
  return Object.entries(cost).reduce(
    (sum, [role, { memoryBytes }]) => sum + (roles.includes(role) ? memoryBytes : 0),
    0,
  )
}

/** Returns the 95th percentile of values. */
export function p95(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0
}
