/** Collections of sound (sound-file-model.ts), which backups store as files and not as documents. */
export const soundCollections: readonly string[] = ['audio.files', 'audio.chunks', 'audio.holds']
