import { AppError } from '#contract/app-error.ts'
import type { ClipEncoding, ClipFormat } from '#contract/clip.ts'
import { decodeError, systemError } from './decode-errors.ts'
import { spawnFfmpeg } from './ffmpeg-process.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { ffmpegPartArguments, timestampFilter } from './input-arguments.ts'

/** Far more than any clip takes. */
const timeoutMs = 300_000

/**
 * Writes part of a recording to an open file descriptor. It must be a file: ffmpeg goes back to fix the header, which a pipe rules out.
 * Throws an AppError as `decodeAudio` does, and `unavailable` where ffmpeg was built without an MP3 encoder.
 */
export async function writeClip(path: string, part: ClipEncoding, outputFd: number): Promise<void> {
  try {
    const { path: program } = await findFfmpeg()
    const ffmpeg = spawnFfmpeg(program, clipArguments(path, part), AbortSignal.timeout(timeoutMs), outputFd)
    ffmpeg.stdout.resume()
    const { exit, stderr } = await ffmpeg.ended
    if (/unknown encoder/i.test(stderr)) throw noEncoderError(stderr)
    if (exit !== 'code 0') throw decodeError(stderr, exit)
  } catch (error) {
    throw systemError(error)
  }
}

const encoders: Record<ClipFormat, string> = {
  // The encoder adds leading silence and stores its length in the header. Rates below 16 kHz are outside the standard, and some players
  // refuse them.
  mp3: '-c:a libmp3lame -q:a 2 -f mp3',
  wav: '-c:a pcm_s16le -fflags +bitexact -f wav',
}
const filters: Record<ClipFormat, string> = {
  mp3: ',aformat=sample_rates=16000|22050|24000|32000|44100|48000',
  wav: '',
}

function clipArguments(path: string, { format, channelCount, channel, ...part }: ClipEncoding): string[] {
  const oneChannel = channel ? `,pan=mono|c0=c${channel === 'left' ? 0 : 1}` : ''
  const filter = `${timestampFilter}${oneChannel}${filters[format]}`
  const channels = channel ? 1 : channelCount
  const output = `-af ${filter} -ac ${channels} -map_metadata -1 ${encoders[format]} -y file:/dev/fd/3`
  return [...ffmpegPartArguments(path, part), ...output.split(' ')]
}

function noEncoderError(stderr: string): AppError {
  const cause = new Error(`ffmpeg has no MP3 encoder: ${stderr.trim()}`)
  return new AppError('unavailable', 'The ffmpeg of this server cannot write MP3 files.', {
    help: 'Save the clip as a WAV file, or install an ffmpeg with libmp3lame.',
    cause,
  })
}
