/** Where the samples of a WAV file are, and the header data for a file with some of them. */
export interface WavLayout {
  sampleRate: number
  /** Bytes per sample, for all channels together. */
  frameBytes: number
  /** The chunk that describes the samples, as in the file. */
  format: Uint8Array<ArrayBuffer>
  dataOffset: number
  dataBytes: number
}

/** Formats whose samples all have the same size: PCM, float, A-law, µ-law, and the extensible format that names one of these. */
const evenFormats = new Set([1, 3, 6, 7, 0xfffe])
const chunkHeadBytes = 8
const riffHeadBytes = 12

/** Reads the start of a file; undefined if it is not a WAV file, its samples differ in size, or they begin after this part. */
export function readWavLayout(start: ArrayBuffer): WavLayout | undefined {
  const view = new DataView(start)
  if (start.byteLength < riffHeadBytes || nameAt(view, 0) !== 'RIFF' || nameAt(view, 8) !== 'WAVE') return undefined
  let format: Uint8Array<ArrayBuffer> | undefined
  for (let at = riffHeadBytes; at + chunkHeadBytes <= start.byteLength;) {
    const [name, bytes] = [nameAt(view, at), view.getUint32(at + 4, true)]
    const content = at + chunkHeadBytes
    if (name === 'data') return format && layoutOf(format, content, bytes)
    if (name === 'fmt ') format = new Uint8Array(start.slice(content, content + bytes))
    // Chunks begin at even offsets.
    at = content + bytes + (bytes % 2)
  }
  return undefined
}

function layoutOf(format: Uint8Array<ArrayBuffer>, dataOffset: number, dataBytes: number): WavLayout | undefined {
  if (format.byteLength < 16) return undefined
  const view = new DataView(format.buffer)
  if (!evenFormats.has(view.getUint16(0, true))) return undefined
  const [sampleRate, frameBytes] = [view.getUint32(4, true), view.getUint16(12, true)]
  return sampleRate > 0 && frameBytes > 0 ? { sampleRate, frameBytes, format, dataOffset, dataBytes } : undefined
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
}

/** Returns which bytes of the file hold the samples of a range in seconds: `from` to `to`, exclusive. */
export function byteRangeOf(layout: WavLayout, range: { start: number; end: number }): { from: number; to: number } {
  const { sampleRate, frameBytes, dataOffset, dataBytes } = layout
  const frames = Math.floor(dataBytes / frameBytes)
  const [from, to] = [range.start, range.end].map((seconds) => {
    const frame = Math.min(frames, Math.max(0, Math.round(seconds * sampleRate)))
    return dataOffset + frame * frameBytes
  })
  return { from: from ?? dataOffset, to: to ?? dataOffset }
}

/** Returns a WAV file with samples described by a `fmt ` chunk. */
export function makeWav(format: Uint8Array<ArrayBuffer>, samples: ArrayBuffer): Blob {
  const padding = new Uint8Array(samples.byteLength % 2)
  const size = 4 + 2 * chunkHeadBytes + format.byteLength + samples.byteLength + padding.byteLength
  const parts = [chunkHead('RIFF', size), 'WAVE', chunkHead('fmt ', format.byteLength), format]
  return new Blob([...parts, chunkHead('data', samples.byteLength), samples, padding], { type: 'audio/wav' })
}

function chunkHead(name: string, bytes: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(chunkHeadBytes)
  head.set(Uint8Array.from(name, (letter) => letter.charCodeAt(0)))
  new DataView(head.buffer).setUint32(4, bytes, true)
  return head
}
