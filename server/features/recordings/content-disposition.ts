/**
 * Returns the Content-Disposition of a download (RFC 6266): the recording's name with another extension, in UTF-8 and, for old clients, in
 * ASCII. `part` is appended to the name if the file covers only part of the recording.
 */
export function contentDisposition(recordingName: string, extension: string, part?: string): string {
  const bare = recordingName.replace(/\.[^.]{1,10}$/, '') || 'recording'
  const name = `${part ? `${bare} ${part}` : bare}.${extension}`
  const plain = name.replace(/[^\w. -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`
}

/** Encodes as RFC 8187 requires: encodeURIComponent does not escape four characters that the RFC forbids. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
