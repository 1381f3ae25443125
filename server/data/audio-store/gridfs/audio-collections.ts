/** Collections of sound (audio-file-model.ts), which backups store as files and not as documents. */
export const audioCollections: readonly string[] = ['audio.files', 'audio.chunks', 'audio.pins']
