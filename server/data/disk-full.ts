/** Returns whether an error of the file system means that the disk, or the user's quota of it, is used up. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
