/** Collections of audio (audio-file-model.ts), which backups store as files rather than documents. */
export const audioCollections: readonly string[] = ['audio.files', 'audio.chunks', 'audio.pins']
