import { buffer } from 'node:stream/consumers'
import { decodeError, systemError } from './decode-errors.ts'
import { spawnFfmpeg } from './ffmpeg-process.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { ffmpegPartArguments, timestampFilter } from './input-arguments.ts'
import type { PcmSamples } from './spectrogram.ts'
import { parseWavHeader } from './wav-header.ts'

/** Far longer than decoding any part takes. */
const timeoutMs = 60_000

interface ExcerptRange {
  fromSeconds: number
  seconds: number
  /** A file with more channels is mixed down to this many. */
  channelCount: number
}

/**
 * Decodes a part of a recording into memory, at 8 kHz if the file has no more, otherwise at 16 kHz. Throws an AppError, as `decodeAudio`
 * does; a part beyond the end has no samples.
 */
export async function readExcerpt(path: string, range: ExcerptRange): Promise<PcmSamples> {
  try {
    const ffmpeg = spawnFfmpeg((await findFfmpeg()).path, excerptArguments(path, range), AbortSignal.timeout(timeoutMs))
    const wav = await buffer(ffmpeg.stdout)
    const { exit, stderr } = await ffmpeg.ended
    if (exit !== 'code 0') throw decodeError(stderr, exit)
    return toSound(wav)
  } catch (error) {
    throw systemError(error)
  }
}

function excerptArguments(path: string, { channelCount, ...part }: ExcerptRange): string[] {
  const filter = `${timestampFilter},aformat=sample_fmts=s16:sample_rates=8000|16000`
  const output = `-af ${filter} -ac ${channelCount} -c:a pcm_s16le -fflags +bitexact -f wav -`
  return [...ffmpegPartArguments(path, part), ...output.split(' ')]
}

function toSound(wav: Buffer): PcmSamples {
  const header = parseWavHeader(wav)
  if (!header) throw new Error('ffmpeg wrote no WAV header')
  const { channelCount, sampleRate, dataOffset } = header
  // An Int16Array must start at an even offset; a part of a buffer may not.
  const bytes = Uint8Array.from(wav.subarray(dataOffset))
  return { samples: new Int16Array(bytes.buffer, 0, Math.floor(bytes.length / 2)), channelCount, sampleRate }
}
