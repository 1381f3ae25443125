/** A filter that fills gaps in the timestamps (a paused browser recording) and a late start with silence. */
export const timestampFilter = 'aresample=async=1:first_pts=0'

/**
 * Returns the arguments with which ffmpeg reads the first sound track of an untrusted file, from `fromSeconds` on. The whitelists keep a
 * playlist from opening other files; `file:` keeps a file name from being read as an option.
 */
export function inputArguments(sourcePath: string, fromSeconds = 0): string[] {
  const guards = '-nostdin -v error -protocol_whitelist file -format_whitelist wav,mp3,flac,ogg,mov,matroska,aac'
  const seek = fromSeconds > 0 ? ['-ss', String(fromSeconds)] : []
  return [...guards.split(' '), ...seek, '-i', `file:${sourcePath}`, ...'-map 0:a:0 -vn -sn -dn'.split(' ')]
}
