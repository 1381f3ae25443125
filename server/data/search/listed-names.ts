import type { NameForm } from '#contract/name-sounds/names-in-text.ts'
import { listInBlock } from './blocks.ts'
import { type Occurrences, readPostings } from './postings.ts'
import { segmentIdOf } from './segments.ts'

/** Of what may be names, those that have some sounds: folded words with a space between them. */
export interface NameList {
  names: Iterable<string>
  /** Returns what else is known of a name of the list. */
  describe: (name: string) => IndexedName
}

/** What may be a name. */
export interface IndexedName {
  form: NameForm
  /** Returns the ids of segments that do not have it. */
  findSegmentsWithout: () => Set<string>
  /**
   * Returns the ordinals of the recordings that have it, some of which may be gone. Only for names of several words: for one word they are those
   * of its occurrences.
   */
  readOrdinals: () => number[]
}

/** Collects the names that blocks list by their sound. Most are not what is looked for: they stay as they are in the block. */
export function createNameCollector() {
  const listed = new Map<string, { segmentIds: string[]; entries: Occurrences[] }>()

  function addBlock(blockId: string, block: Uint8Array, prefix: string): void {
    const segmentId = segmentIdOf(blockId)
    for (const entry of listInBlock(block, Buffer.from(prefix))) {
      const name = entry.word.slice(prefix.length)
      const known = listed.get(name)
      if (known) {
        known.segmentIds.push(segmentId)
        known.entries.push(entry)
      } else listed.set(name, { segmentIds: [segmentId], entries: [entry] })
    }
  }

  /** @param searched the ids of segments of which all blocks with the wanted sounds were added */
  function toList(searched: string[]): NameList {
    return {
      names: listed.keys(),
      describe: (name) => {
        const { segmentIds = [], entries = [] } = listed.get(name) ?? {}
        return {
          form: name.split(' '),
          findSegmentsWithout: () => new Set(searched.filter((id) => !segmentIds.includes(id))),
          readOrdinals: () => entries.flatMap((entry) => readPostings(entry).map(({ ordinal }) => ordinal)),
        }
      },
    }
  }

  return { addBlock, toList }
}
