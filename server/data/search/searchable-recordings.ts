import { listNameForms, type NameForm, soundOfName } from '#contract/name-sounds/names-in-text.ts'
import { splitWords, type TextWord } from '#contract/search-words.ts'
import { storedKeys } from '#contract/name-sounds/sound-key.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { type RecordingDocument, recordingModel } from '../recordings/recording-model.ts'
import { type SearchEntryDocument, searchEntryModel } from './search-entry-model.ts'

/** The possible names in a set of texts, by sound key. */
interface NameForms {
  add(text: string): void
  remove(text: string): void
  /** Returns the forms with one of these keys (see searchKeys). */
  find(keys: string[]): NameForm[]
}

interface CountedForm {
  form: NameForm
  /** How many of the texts contain it. */
  count: number
}

/** Creates an empty set. Texts are analyzed only when a name is searched for, as most searches look for no name. */
function createNameForms(): NameForms {
  const pending = new Map<string, number>()
  const byKey = new Map<string, Map<string, CountedForm>>()

  function count(text: string, by: number): void {
    const sum = (pending.get(text) ?? 0) + by
    if (sum === 0) pending.delete(text)
    else pending.set(text, sum)
  }

  function apply(text: string, by: number): void {
    for (const form of listNameForms(text)) {
      const sound = soundOfName(form)
      for (const key of sound ? storedKeys(sound) : []) countForm(key, form, by)
    }
  }

  function countForm(key: string, form: NameForm, by: number): void {
    const forms = byKey.get(key) ?? new Map<string, CountedForm>()
    byKey.set(key, forms)
    const name = form.join(' ')
    const known = forms.get(name) ?? { form, count: 0 }
    known.count += by
    if (known.count === 0) forms.delete(name)
    else forms.set(name, known)
    if (forms.size === 0) byKey.delete(key)
  }

  return {
    add: (text) => count(text, 1),
    remove: (text) => count(text, -1),
    find(keys) {
      for (const [text, by] of pending) apply(text, by)
      pending.clear()
      return keys.flatMap((key) => [...(byKey.get(key)?.values() ?? [])].map(({ form }) => form))
    },
  }
}

/** A recording as seen by a search. */
export interface SearchableRecording {
  id: string
  name: string
  /** Words of the name. */
  nameWords: TextWord[]
  /** Milliseconds since 1970. */
  createdAt: number
  /** Identifies the recording in the index; 0 without lines. */
  ordinal: number
  lineCount: number
  /** The main language of its lines. */
  language: string | null
}

interface CachedRecording extends SearchableRecording {
  isVisible: boolean
  change: number
}

interface CachedOwner {
  recordings: Map<string, CachedRecording>
  /** The possible personal names in the names of the recordings. */
  forms: NameForms
  /** The last changes read. */
  last: Changes
  /** Changes up to which nothing unread can still become visible. */
  settled: Changes
  /** The value of `settled` after a read that begins `settleMs` later. */
  settling: Changes & { at: number }
  loadedAt: number
}

/** Change numbers. */
interface Changes {
  recording: number
  entry: number
}

/** Numbers this close to the last one may become visible after it. */
const unsettledChanges = 500
/** A number becomes visible within this time: no write takes longer. */
const settleMs = 60_000
/** Documents of deleted recordings stay for a day, so reading at least this often misses none of them. */
const maxAgeMs = 12 * 3_600_000
const maxCachedRecordings = 100_000

/** Caches the recordings of owners who search. A search reads only what changed since the previous one. */
export interface SearchableRecordings {
  /** Returns the owner's current visible recordings. */
  read(ownerId: string): Promise<SearchableRecording[]>
  /** Returns the possible personal names with one of these sound keys in the names of those recordings as last read. */
  listNames(ownerId: string, keys: string[]): NameForm[]
}

export function createSearchableRecordings(connection: DatabaseConnection): SearchableRecordings {
  /** Owners in the order of their last use. */
  const owners = new Map<string, CachedOwner>()

  async function read(ownerId: string): Promise<SearchableRecording[]> {
    const known = owners.get(ownerId)
    const isFresh = known !== undefined && known.loadedAt > performance.now() - maxAgeMs
    const owner = isFresh ? known : newOwner()
    await refresh(owner, ownerId)
    owners.delete(ownerId)
    owners.set(ownerId, owner)
    dropOldest()
    return [...owner.recordings.values()].filter(({ isVisible }) => isVisible)
  }

  async function refresh(owner: CachedOwner, ownerId: string): Promise<void> {
    const beganAt = performance.now()
    const since = (kind: keyof Changes) => ({
      ownerId: toObjectId(ownerId),
      change: { $gt: Math.max(owner.last[kind] - unsettledChanges, owner.settled[kind]) },
    })
    const [recordings, entries] = await Promise.all([
      recordingModel(connection)
        .find(since('recording'), { name: 1, createdAt: 1, deletedAt: 1, change: 1 })
        .lean<Pick<RecordingDocument, '_id' | 'name' | 'createdAt' | 'deletedAt' | 'change'>[]>(),
      searchEntryModel(connection)
        .find(since('entry'), { ordinal: 1, lineCount: 1, language: 1, change: 1 })
        .lean<Pick<SearchEntryDocument, '_id' | 'ordinal' | 'lineCount' | 'language' | 'change'>[]>(),
    ])
    for (const { _id, name, createdAt, deletedAt, change } of recordings) {
      const cached = recordingOf(owner, _id.toHexString())
      owner.last.recording = Math.max(owner.last.recording, change)
      // The answer of one search may overtake that of another.
      if (change < cached.change) continue
      const isVisible = deletedAt === null
      if (cached.isVisible) owner.forms.remove(cached.name)
      if (isVisible) owner.forms.add(name)
      if (name !== cached.name) Object.assign(cached, { name, nameWords: splitWords(name) })
      Object.assign(cached, { createdAt: createdAt.getTime(), isVisible, change })
    }
    for (const { _id, ordinal, lineCount, language, change } of entries) {
      const cached = recordingOf(owner, _id.toHexString())
      owner.last.entry = Math.max(owner.last.entry, change)
      // Ordinals only grow, except that they become 0 when all lines are gone.
      if (ordinal === 0 || ordinal > cached.ordinal) Object.assign(cached, { ordinal, lineCount, language })
    }
    if (beganAt < owner.settling.at + settleMs) return
    owner.settled = owner.settling
    owner.settling = { ...owner.last, at: performance.now() }
  }

  function listNames(ownerId: string, keys: string[]): NameForm[] {
    return owners.get(ownerId)?.forms.find(keys) ?? []
  }

  function dropOldest(): void {
    let count = [...owners.values()].reduce((sum, { recordings }) => sum + recordings.size, 0)
    for (const [ownerId, { recordings }] of owners) {
      if (count <= maxCachedRecordings || owners.size === 1) return
      owners.delete(ownerId)
      count -= recordings.size
    }
  }

  return { read, listNames }
}

function newOwner(): CachedOwner {
  return {
    recordings: new Map(),
    forms: createNameForms(),
    last: { recording: 0, entry: 0 },
    settled: { recording: -Infinity, entry: -Infinity },
    settling: { recording: -Infinity, entry: -Infinity, at: -Infinity },
    loadedAt: performance.now(),
  }
}

function recordingOf({ recordings }: CachedOwner, id: string): CachedRecording {
  let cached = recordings.get(id)
  if (!cached) {
    const empty = { name: '', nameWords: [], createdAt: 0, ordinal: 0, lineCount: 0, language: null }
    cached = { ...empty, id, isVisible: false, change: 0 }
    recordings.set(id, cached)
  }
  return cached
}
