import type { FoundCall, FoundLine } from '#contract/endpoints/search.ts'

/** Returns the desk's address of a call, at a line that was found and with what was found in it searched for. */
export function lineAddress({ recording }: Pick<FoundCall, 'recording'>, line?: FoundLine): string {
  const params = new URLSearchParams({ recording: recording.id })
  if (line && line.kind !== 'name') {
    params.set('t', String(line.start))
    const [first] = line.marks
    if (first && line.kind !== 'note' && line.kind !== 'speaker') params.set('find', line.text.slice(...first))
  }
  return `/transcribe?${params}`
}
