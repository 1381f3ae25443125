import type { RestorePoint } from '#data/restore-points/restore-points.ts'

/** Describes a restore point in one line: its name, when it was made, and between which versions. */
export function describePoint({ name, createdAt, sizeBytes, ...point }: RestorePoint): string {
  const from = point.fromVersion === null ? 'an earlier Awaz' : `Awaz ${point.fromVersion}`
  const before = point.toVersion === point.fromVersion ? '' : `, before ${point.toVersion}`
  return `${name}  ${createdAt}  ${megabytes(sizeBytes)}  of ${from}, data version ${point.dataVersion}${before}`
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`
}
