import type { FoundCall, FoundLine } from '#contract/endpoints/search.ts'

/** Returns the workspace address of a call, at a found line, with a search for the words found in it. */
export function lineAddress({ recording }: Pick<FoundCall, 'recording'>, line?: FoundLine): string {
  const params = new URLSearchParams({ recording: recording.id })
  if (line && line.kind !== 'name') {
    params.set('t', String(line.start))
    const [first] = line.marks
    if (first && line.kind !== 'note' && line.kind !== 'speaker') params.set('find', line.text.slice(...first))
  }
  return `/transcribe?${params}`
}
