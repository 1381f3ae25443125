/** An ffmpeg filter that fills gaps in the timestamps (a paused browser recording) and a late start with silence. */
export const timestampFilter = 'aresample=async=1:first_pts=0'

/**
 * Returns the arguments with which ffmpeg reads the first sound track of an untrusted file. The whitelists keep a playlist from opening other
 * files; `file:` keeps a file name from being read as an option.
 */
export function ffmpegInputArguments(sourcePath: string, seek: string[] = []): string[] {
  const guards = '-nostdin -v error -protocol_whitelist file -format_whitelist wav,mp3,flac,ogg,mov,matroska,aac'
  return [...guards.split(' '), ...seek, '-i', `file:${sourcePath}`, ...'-map 0:a:0 -vn -sn -dn'.split(' ')]
}

/** Decoded before a part and discarded: MP3 and AAC frames depend on the preceding ones, and the first are silent without them. */
const leadSeconds = 2

/** Returns the arguments with which ffmpeg reads a part of the first sound track of an untrusted file. */
export function ffmpegPartArguments(sourcePath: string, part: { fromSeconds: number; seconds: number }): string[] {
  const seekSeconds = Math.max(0, part.fromSeconds - leadSeconds)
  const seek = seekSeconds > 0 ? ['-ss', String(seekSeconds)] : []
  const range = `-ss ${part.fromSeconds - seekSeconds} -t ${part.seconds}`
  return [...ffmpegInputArguments(sourcePath, seek), ...range.split(' ')]
}
