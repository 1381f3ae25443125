/** Identifies the build of Awaz that a process runs. */
interface Software {
  version: string | null
  /** Abbreviated commit; null when unknown. */
  revision: string | null
}

/** Returns whether two processes run the same build, as far as known. A process of unknown version is older than any that reports one. */
export function isSameBuild(one: Software, other: Software): boolean {
  if (one.version !== other.version) return false
  if (one.revision === null || other.revision === null) return true
  // Two clones may abbreviate a commit to different lengths.
  return one.revision.startsWith(other.revision) || other.revision.startsWith(one.revision)
}
