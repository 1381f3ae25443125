import type { NameForm } from '#contract/name-sounds/names-in-text.ts'
import { listInBlock } from './blocks.ts'
import { type Occurrences, readPostings } from './postings.ts'
import { segmentIdOf } from './segments.ts'

/** Possible names with certain sounds, as folded words separated by spaces. */
export interface NameList {
  names: Iterable<string>
  /** Returns what else is known about a name in the list. */
  describe: (name: string) => IndexedName
}

/** A possible name in the index. */
export interface IndexedName {
  form: NameForm
  /** Returns the ids of segments that do not contain it. */
  findSegmentsWithout: () => Set<string>
  /**
   * Returns the ordinals of the recordings that contain it, some of which may be gone. Only for names of several words: for a single word,
   * its occurrences give the ordinals.
   */
  readOrdinals: () => number[]
}

/** Collects the names that blocks list by sound. Most are not the ones searched for, so they stay encoded in the block. */
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

  /** @param searched the ids of segments whose blocks with the wanted sounds have all been added */
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
