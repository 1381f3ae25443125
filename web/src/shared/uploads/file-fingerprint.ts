/** Returns what identifies a file to the server when it is chosen again: all a browser knows without reading it. */
export function fingerprintOf({ name, size, lastModified }: File): string {
  return `${name}/${size}/${lastModified}`
}
