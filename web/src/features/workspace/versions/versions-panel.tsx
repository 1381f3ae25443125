/** The versions of the transcript: compared and restored. */
export function VersionsPanel() {
  return null
}
