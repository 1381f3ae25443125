import { cleanRecordingName } from '../recordings/name.ts'

/**
 * Returns the name of an uploaded file without what programs other than browsers may send: a path, or characters that no list should show.
 */
export function cleanUploadName(original: string): string {
  const bare = original.split(/[/\\]/).at(-1) ?? ''
  const clean = cleanRecordingName(bare)
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  return clean.length <= 255 ? clean : clean.slice(0, 255 - ending.length) + ending
}
