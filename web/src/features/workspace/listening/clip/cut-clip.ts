import type { ClipChannel, ClipFormat } from '#contract/clip.ts'
import { audio } from '#contract/endpoints/audio.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import { callForFile, send } from '../../../../shared/api/client.ts'
import { byteRangeOf, makeWav, readWavLayout } from './wav.ts'

/** Longer than what any program writes before the samples. */
const headBytes = 64 * 1024

export interface ClipKind {
  format: ClipFormat
  /** The only one of two channels that is saved. */
  channel?: ClipChannel
}

interface Range {
  start: number
  end: number
}

/**
 * Returns a part of a recording as a file. As a WAV file of all channels, the samples of a WAV recording are taken as they are, without the
 * rest of it; everything else is made by the server. Throws ApiError.
 */
export async function cutClip(id: string, range: Range, { format, channel }: ClipKind): Promise<Blob> {
  const copied = format === 'wav' && !channel ? await copySamples(id, range) : undefined
  if (copied) return copied
  const query = { from: range.start, to: range.end, format, channel }
  return callForFile(recordings.clip, { params: { id }, query })
}

/** Returns undefined where the recording is not a WAV file. */
async function copySamples(id: string, range: Range): Promise<Blob | undefined> {
  const layout = readWavLayout(await fetchBytes(id, { from: 0, to: headBytes }))
  if (!layout) return undefined
  const bytes = byteRangeOf(layout, range)
  const samples = bytes.to > bytes.from ? await fetchBytes(id, bytes) : new ArrayBuffer(0)
  return makeWav(layout.format, samples)
}

/** Fetches bytes of the file of a recording, `to` exclusive; fewer where it ends before. */
async function fetchBytes(id: string, { from, to }: { from: number; to: number }): Promise<ArrayBuffer> {
  const response = await send(audio.play, { params: { id }, headers: { Range: `bytes=${from}-${to - 1}` } })
  const bytes = await response.arrayBuffer()
  // A proxy may send all of the file.
  return response.status === 206 ? bytes : bytes.slice(from, to)
}
