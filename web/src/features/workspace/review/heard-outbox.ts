import type { QueryClient } from '@tanstack/react-query'
import { review } from '#contract/endpoints/review.ts'
import { addHeard, HeardChannels, maxSpansPerRequest } from '#contract/heard.ts'
import { call } from '../../../shared/api/client.ts'
import { countSignOuts, unsentHeardPrefix } from '../../../shared/recordings/tab-data.ts'
import { createUnsentStore } from '../../../shared/recordings/unsent-store.ts'

export interface HeardOutbox {
  /** Adds what was played, and shows it at once. */
  add(played: HeardChannels): void
  /** Sends what the server does not have yet; what cannot be sent is kept for the next call, also by the next page of this tab. */
  send(): Promise<void>
  getUnsent(): HeardChannels
}

/** Marks lists of recordings, which show review progress, for refetching when they are next shown. */
export function markListsOutdated(client: QueryClient): void {
  for (const queryKey of [['recordings'], ['case-recordings']]) {
    void client.invalidateQueries({ queryKey, refetchType: 'none' })
  }
}

export const heardKey = (recordingId: string) => ['heard', recordingId]

/** Unsent spans, by recording. */
const unsentHeard = createUnsentStore(unsentHeardPrefix, HeardChannels)

/** The outboxes of a page, by session and recording. Two for the same one would overwrite each other's storage. */
const outboxes = new WeakMap<QueryClient, Map<string, HeardOutbox>>()

interface HeardKey {
  userId: string
  recordingId: string
}

/** Returns the outbox that collects and sends what a person hears of a recording. */
export function openHeardOutbox(client: QueryClient, listener: HeardKey): HeardOutbox {
  const known = outboxes.get(client) ?? new Map<string, HeardOutbox>()
  outboxes.set(client, known)
  const key = JSON.stringify([countSignOuts(), listener])
  const outbox = known.get(key) ?? createOutbox(client, listener)
  known.set(key, outbox)
  return outbox
}

function createOutbox(client: QueryClient, listener: HeardKey): HeardOutbox {
  const { userId, recordingId } = listener
  const queryKey = heardKey(recordingId)
  const owner = { userId, id: recordingId }
  const signOuts = countSignOuts()
  let unsent = unsentHeard.read(owner) ?? []
  let sending: HeardChannels = []
  let isSending = false

  function show(channels: HeardChannels) {
    client.setQueryData<HeardChannels>(queryKey, (before) => before && addHeard(before, channels))
  }

  function keep() {
    // A request may fail after sign-out.
    if (countSignOuts() !== signOuts) return
    const kept = addHeard(sending, unsent)
    unsentHeard.keep(owner, isEmpty(kept) ? null : kept)
  }

  return {
    getUnsent: () => addHeard(sending, unsent),

    add(played) {
      unsent = addHeard(unsent, played)
      show(played)
    },

    async send() {
      if (isSending || countSignOuts() !== signOuts || isEmpty(unsent)) return
      isSending = true
      sending = unsent.map((spans) => spans.slice(0, maxSpansPerRequest))
      unsent = unsent.map((spans) => spans.slice(maxSpansPerRequest))
      keep()
      try {
        const body = { channels: sending }
        const { channels } = await call(review.addHeard, { params: { id: recordingId }, body, keepalive: true })
        sending = []
        show(channels)
        markListsOutdated(client)
      } catch {
        unsent = addHeard(sending, unsent)
        sending = []
      }
      isSending = false
      keep()
    },
  }
}

function isEmpty(channels: HeardChannels): boolean {
  return channels.every((spans) => spans.length === 0)
}
