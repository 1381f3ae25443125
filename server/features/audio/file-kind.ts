import { open } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { audioExtensions } from '#contract/entities/recording.ts'

export type AudioExtension = (typeof audioExtensions)[number]

/** Media type of each accepted file extension, for playback. */
export const mediaTypes: Record<AudioExtension, string> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

const startsWith =
  (text: string, at = 0) =>
  (head: Buffer) =>
    head.toString('latin1', at, at + text.length) === text
const isIsoMedia = startsWith('ftyp', 4)

/** Recognizes the first bytes of each format. */
const signatures: Record<AudioExtension, (head: Buffer) => boolean> = {
  // An ID3 tag, or the eleven set bits of a frame that is not reserved.
  mp3: (head) => startsWith('ID3')(head) || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0),
  wav: (head) => (startsWith('RIFF')(head) || startsWith('RF64')(head)) && startsWith('WAVE', 8)(head),
  m4a: isIsoMedia,
  mp4: isIsoMedia,
  flac: startsWith('fLaC'),
  ogg: startsWith('OggS'),
  webm: (head) => head.readUInt32BE(0) === 0x1a45dfa3,
}

const help = 'Supported formats are MP3, WAV, M4A, FLAC, OGG, MP4 and WEBM.'

/** Returns the extension of a file name. Throws `unsupported_audio` if it is not accepted. */
export function requireExtension(name: string): AudioExtension {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  const extension = audioExtensions.find((known) => known === ending)
  if (!extension) throw new AppError('unsupported_audio', `${name} is not a supported audio format`, { help })
  return extension
}

/**
 * Returns the format that a file's first bytes show: the named one if they match it, otherwise another accepted one, as for FLAC named
 * `.mp3`. Throws `unsupported_audio` if none matches, `unreadable_audio` if the file is empty.
 */
export async function recognizeFormat(path: string, named: AudioExtension): Promise<AudioExtension> {
  const head = Buffer.alloc(16)
  const file = await open(path, 'r')
  try {
    const { bytesRead } = await file.read(head, 0, head.length, 0)
    if (bytesRead === 0) throw new AppError('unreadable_audio', 'This file is empty (0 bytes).')
  } finally {
    await file.close()
  }
  const format = [named, ...audioExtensions].find((extension) => signatures[extension](head))
  if (format) return format
  const message = `This file is not a ${named.toUpperCase()} file, though its name says so`
  throw new AppError('unsupported_audio', message, { help })
}
