import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { editing } from '#contract/endpoints/editing.ts'
import { FlaggedLine, type Note } from '#contract/notes.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../../shared/api/api-error.ts'
import { call } from '../../../shared/api/client.ts'
import { useUser } from '../../../shared/session/session.ts'
import { unsentNotesPrefix } from '../../../shared/recordings/tab-data.ts'
import { createUnsentList } from '../../../shared/recordings/unsent-store.ts'
import type { EditableNote } from './editable-note.ts'

const noNotes: EditableNote[] = []
let addedCount = 0
const fallbackMessage = t('The note could not be saved. Check your connection and try again.')

/** A new note, bookmark or flag that the server does not have yet. */
const UnsentNote = z.object({
  key: z.string(),
  time: z.number(),
  text: z.string(),
  line: FlaggedLine.optional(),
  created_at: z.string(),
})
type UnsentNote = z.infer<typeof UnsentNote>

/** Unsent notes, by recording. */
const unsentNotes = createUnsentList(unsentNotesPrefix, UnsentNote)
type Owner = Parameters<typeof unsentNotes.list>[0]

/**
 * Returns the notes of a recording in time order. Changes are shown at once and sent one at a time; notes that could not be sent stay on
 * screen with their text, and `save` sends them. Notes still unsent when the page closes are sent by the next page of this tab.
 */
export function useNotes(recordingId: string) {
  const client = useQueryClient()
  const { id: userId } = useUser()
  const owner = { userId, id: recordingId }
  const queryKey = notesKey(recordingId)
  const {
    data: notes = noNotes,
    isPending,
    isError,
    refetch,
  } = useQuery({
    queryKey,
    queryFn: async () => {
      const { notes: stored } = await call(editing.listNotes, { params: { id: recordingId } })
      const shown = client.getQueryData<EditableNote[]>(queryKey)
      if (shown) return mergeNotes(shown, stored)
      const unsent = listUnsent(owner, stored)
      const merged = client.setQueryData<EditableNote[]>(queryKey, mergeNotes(unsent, stored))
      for (const { key } of unsent) send(key)
      return merged ?? noNotes
    },
  })
  const { mutate: send } = useMutation({
    scope: { id: queryKey.join(' ') },
    networkMode: 'always',
    mutationFn: (key: string) => sendNote(client, recordingId, key),
    onSuccess: (_, key) => forgetUnsent(owner, key),
    onError: (error, key) =>
      update(client, recordingId, key, { saveState: 'failed', error: messageOf(error, fallbackMessage) }),
  })
  const { mutateAsync: sendRemoval } = useMutation({
    scope: { id: queryKey.join(' ') },
    networkMode: 'always',
    mutationFn: (noteId: string) => removeStored(recordingId, noteId),
  })

  function save(key: string) {
    update(client, recordingId, key, { saveState: 'saving' })
    send(key)
  }

  /** Adds a note, a bookmark without text, or a flag at a line. Returns its key. */
  function add(time: number, text = '', line?: FlaggedLine): string {
    const now = new Date().toISOString()
    // A note kept by an earlier page has a different time in its key.
    const key = `new-${now}-${(addedCount += 1)}`
    const note: EditableNote = {
      id: key,
      key,
      time,
      text,
      ...(line && { line }),
      created_at: now,
      updated_at: now,
      saveState: 'saving',
      isNew: true,
    }
    client.setQueryData<EditableNote[]>(queryKey, (all = noNotes) => byTime([...all, note]))
    keepUnsent(owner, note)
    send(key)
    return key
  }

  /** Shows a change without sending it, while it is being typed. */
  function change(key: string, part: { text?: string; time?: number }) {
    // A refetch does not touch unsaved notes.
    update(client, recordingId, key, { ...part, saveState: 'saving' })
    const changed = findShown(client, recordingId, key)
    if (changed?.isNew) keepUnsent(owner, changed)
  }

  /** Removes a note. If the server refuses, shows the note again and throws. */
  async function remove(note: EditableNote): Promise<void> {
    client.setQueryData<EditableNote[]>(queryKey, (all = noNotes) => all.filter(({ key }) => key !== note.key))
    if (note.isNew) return forgetUnsent(owner, note.key)
    try {
      await sendRemoval(note.id)
    } catch (error) {
      client.setQueryData<EditableNote[]>(queryKey, (all = noNotes) => byTime([...all, note]))
      throw error
    }
  }

  return { notes, isPending, isError, reload: () => void refetch(), add, change, save, remove }
}

function notesKey(recordingId: string): string[] {
  return ['notes', recordingId]
}

function byTime(notes: EditableNote[]): EditableNote[] {
  return notes.toSorted((a, b) => a.time - b.time || a.created_at.localeCompare(b.created_at))
}

/** Returns the stored notes with this screen's unsent changes; notes keep their keys. */
function mergeNotes(shown: EditableNote[], stored: Note[]): EditableNote[] {
  const known = new Map(shown.map((note) => [note.id, note]))
  const merged = stored.map((note): EditableNote => {
    const own = known.get(note.id)
    if (own && own.saveState !== 'saved') return own
    return { ...note, key: own?.key ?? note.id, saveState: 'saved' }
  })
  return byTime([...merged, ...shown.filter(({ isNew }) => isNew)])
}

function update(client: QueryClient, recordingId: string, key: string, part: Partial<EditableNote>): void {
  const shown = findShown(client, recordingId, key)
  if (shown) replace(client, recordingId, { ...shown, ...part })
}

function replace(client: QueryClient, recordingId: string, changed: EditableNote): void {
  client.setQueryData<EditableNote[]>(notesKey(recordingId), (all = noNotes) =>
    byTime(all.map((note) => (note.key === changed.key ? changed : note))),
  )
}

function findShown(client: QueryClient, recordingId: string, key: string): EditableNote | undefined {
  return client.getQueryData<EditableNote[]>(notesKey(recordingId))?.find((note) => note.key === key)
}

/** Sends a note in the state shown when its turn comes. */
async function sendNote(client: QueryClient, recordingId: string, key: string): Promise<void> {
  const shown = findShown(client, recordingId, key)
  if (!shown) return
  const { time, text, line } = shown
  const stored = shown.isNew
    ? await call(editing.addNote, { params: { id: recordingId }, body: { time, text, ...(line && { line }) } })
    : await call(editing.changeNote, { params: { id: recordingId, note_id: shown.id }, body: { time, text } })
  const now = findShown(client, recordingId, key)
  // The note was removed while it was being sent.
  if (!now) return void (shown.isNew && (await removeStored(recordingId, stored.id)))
  const isUnchanged = now.text === text && now.time === time
  const { isNew: _, error: __, ...rest } = now
  const sent = isUnchanged ? ({ time: stored.time, saveState: 'saved' } as const) : {}
  replace(client, recordingId, { ...rest, id: stored.id, ...sent })
}

async function removeStored(recordingId: string, noteId: string): Promise<void> {
  await call(editing.removeNote, { params: { id: recordingId, note_id: noteId } })
}

/** Stores a new note in its current state until it is sent. */
function keepUnsent(owner: Owner, { key, time, text, line, created_at }: EditableNote): void {
  const note = { key, time, text, ...(line && { line }), created_at }
  unsentNotes.update(owner, (kept) => [...kept.filter((each) => each.key !== key), note])
}

/** Discards the stored copy of a note that the server has, or that was removed. */
function forgetUnsent(owner: Owner, key: string): void {
  unsentNotes.update(owner, (kept) => kept.filter((each) => each.key !== key))
}

/** Returns the notes that an earlier page of this tab could not send. Discards those that did arrive although no answer came back. */
function listUnsent(owner: Owner, stored: readonly Note[]): EditableNote[] {
  unsentNotes.update(owner, (kept) => kept.filter((note) => !stored.some((each) => isSame(each, note))))
  return unsentNotes.list(owner).map(({ line, ...note }) => ({
    ...note,
    id: note.key,
    ...(line && { line }),
    updated_at: note.created_at,
    saveState: 'saving',
    isNew: true,
  }))
}

/** The server rounds times to milliseconds. */
function isSame(stored: Note, { time, text, line }: UnsentNote): boolean {
  return Math.abs(stored.time - time) < 0.001 && stored.text === text && stored.line?.text === line?.text
}
