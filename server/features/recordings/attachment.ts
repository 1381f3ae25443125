/**
 * The Content-Disposition of a download (RFC 6266): the recording's name with another ending, in UTF-8 for every browser of today
 * and with plain letters for the rest.
 */
export function attachment(recordingName: string, extension: string): string {
  const bare = recordingName.replace(/\.[^.]{1,10}$/, '') || 'recording'
  const name = `${bare}.${extension}`
  const plain = name.replace(/[^\w. -]/g, '_')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeExtended(name)}`
}

/** RFC 8187: encodeURIComponent leaves four characters that may not stand there. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
