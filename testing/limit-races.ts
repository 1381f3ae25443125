import { api } from '#contract/api.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { maxKeywordsPerCategory } from '#contract/keywords/keywords.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { createPasskey } from './authenticator.ts'
import { raceMarks } from './mark-race.ts'
import { connectionOf, createArrayFiller, createDocumentFiller } from './limit-race-data.ts'
import { beginUpload } from './resumable-uploads.ts'
import { storeDocument } from './recordings.ts'
import type { CallResult, SignedInUser, TestServer } from './server.ts'

/** Calls of one endpoint, each of which adds one item to something with a maximum. */
export interface LimitRace {
  /** Sends the call with this number. */
  call: (number: number) => Promise<Pick<CallResult<never>, 'status' | 'raw'>>
  count: () => Promise<number>
  /** Adds `count` items without calling the endpoint. */
  fill: (count: number) => Promise<void>
  /** Prepares for this number of simultaneous calls. */
  prepare?: (calls: number) => Promise<void>
  /** The number of simultaneous calls. Default 50. */
  calls?: number
  /** How many more items fit before the race. Default 5. */
  room?: number
  /** Errors for which calls may be refused apart from the limit. */
  otherErrors?: ErrorCode[]
  /** Whether a call replaces all items, so that it may free room that another call had taken. Default false. */
  replacesAll?: boolean
}

/** What a race starts from. */
export interface RaceContext {
  server: TestServer
  user: SignedInUser
}

const storeRecording = async ({ server, user }: RaceContext) =>
  (await storeDocument(connectionOf(server), { ownerId: user.id, durationMs: 60_000 })).id

async function storeCase({ server, user: { accessToken: token } }: RaceContext) {
  return (await server.call(api.cases.create, { token, body: { name: 'Harbour' } })).data.id
}

/** The race for each endpoint of the contract that has a limit. */
export const limitRaces: Record<string, (context: RaceContext) => Promise<LimitRace>> = {
  'uploads.create': async ({ server, user: { id, accessToken: token } }) => ({
    ...createDocumentFiller(server, 'uploads', { ownerId: toObjectId(id) }),
    call: (number) => beginUpload(server, token, { name: `call${number}.wav`, size: 1_000 }),
  }),
  async 'integrations.createKey'({ server, user: { id, accessToken: token } }) {
    const expires_at = new Date(server.clock.now() + 86_400_000).toISOString()
    const owned = { ownerId: toObjectId(id) }
    return {
      ...createDocumentFiller(server, 'api_keys', owned, () => ({ prefix: newId() })),
      call: (number) =>
        server.call(api.integrations.createKey, { token, body: { name: `Key ${number}`, scope: 'read', expires_at } }),
    }
  },

  async 'integrations.createWebhook'({ server, user: { id, accessToken: token } }) {
    return {
      ...createDocumentFiller(server, 'webhooks', { ownerId: toObjectId(id) }),
      call: (number) =>
        server.call(api.integrations.createWebhook, {
          token,
          body: { url: `https://example.org/${number}`, events: ['job.finished'] },
        }),
    }
  },

  async 'alerts.addWatchList'({ server, user: { id, accessToken: token } }) {
    return {
      ...createDocumentFiller(server, 'watch_lists', { ownerId: toObjectId(id) }, (number) => ({
        name: `Old ${number}`,
      })),
      call: (number) =>
        server.call(api.alerts.addWatchList, { token, body: { name: `List ${number}`, words: ['river'] } }),
    }
  },

  async 'library.saveFilter'({ server, user: { id, accessToken: token } }) {
    return {
      ...createDocumentFiller(server, 'saved_filters', { ownerId: toObjectId(id) }, (number) => ({
        name: `Old ${number}`,
      })),
      call: (number) => server.call(api.library.saveFilter, { token, body: { name: `Filter ${number}`, filter: {} } }),
    }
  },

  async 'reportTemplates.save'({ server, user: { id, accessToken: token } }) {
    return {
      ...createDocumentFiller(server, 'report_templates', { ownerId: toObjectId(id) }, (number) => ({
        name: `Old ${number}`,
      })),
      call: (number) => server.call(api.reportTemplates.save, { token, body: { name: `Template ${number}` } }),
    }
  },

  async 'library.tag'(context) {
    const { server, user } = context
    const id = await storeRecording(context)
    return {
      ...createArrayFiller(server, 'recordings', { id, field: 'tags' }, newId),
      call: (number) =>
        server.call(api.library.tag, {
          token: user.accessToken,
          body: { selection: { ids: [id] }, add: [`tag ${number}`] },
        }),
    }
  },

  async 'keywords.add'({ server, user: { id, accessToken: token } }) {
    const scope = { ownerId: toObjectId(id), category: 'custom' }
    return {
      ...createDocumentFiller(server, 'keywords', scope, (number) => ({ keyword: `old ${number}` })),
      call: (number) =>
        server.call(api.keywords.add, {
          token,
          params: { category: 'custom' },
          body: { keyword: `new ${number}` },
        }),
    }
  },

  /** Each call sends a full category in which some keywords are unique to the call. */
  async 'keywords.replace'({ server, user: { id, accessToken: token } }) {
    const kept = Array.from({ length: maxKeywordsPerCategory - 5 }, (_, index) => `kept ${index}`)
    const scope = { ownerId: toObjectId(id), category: 'custom' }
    return {
      ...createDocumentFiller(server, 'keywords', scope),
      // Each reads thousands of documents.
      calls: 10,
      replacesAll: true,
      call: (number) => {
        const own = Array.from({ length: 5 }, (_, index) => `own ${number} ${index}`)
        const body = { threats: [], sentiment: [], intent: [], custom: [...kept, ...own] }
        return server.call(api.keywords.replace, { token, body })
      },
    }
  },

  async 'editing.addNote'(context) {
    const { server, user } = context
    const recordingId = await storeRecording(context)
    return {
      ...createDocumentFiller(server, 'notes', { ownerId: toObjectId(user.id), recordingId: toObjectId(recordingId) }),
      call: (number) =>
        server.call(api.editing.addNote, {
          token: user.accessToken,
          params: { id: recordingId },
          body: { time: 1, text: `Note ${number}` },
        }),
    }
  },

  async 'editing.reviewHit'(context) {
    const { server, user } = context
    const id = await storeRecording(context)
    return {
      ...createArrayFiller(server, 'reviewed_hits', { id, field: 'keys' }, newId),
      // Each returns ten thousand keys.
      calls: 10,
      call: (number) =>
        server.call(api.editing.reviewHit, {
          token: user.accessToken,
          params: { id },
          body: { hits: [`custom:${number}:1:river`], is_reviewed: true },
        }),
    }
  },

  'review.markLines': async (context) => raceMarks(context, await storeRecording(context)),

  async 'cases.create'({ server, user: { id, accessToken: token } }) {
    return {
      ...createDocumentFiller(server, 'cases', { ownerId: toObjectId(id) }),
      call: (number) => server.call(api.cases.create, { token, body: { name: `Case ${number}` } }),
    }
  },

  async 'cases.setMember'(context) {
    const { server, user } = context
    const id = await storeCase(context)
    const people: string[] = []
    const member = () => ({ userId: toObjectId(newId()), role: 'view', addedAt: new Date() })
    return {
      ...createArrayFiller(server, 'cases', { id, field: 'members' }, member),
      async prepare(calls) {
        for (let number = 0; number < calls; number += 1) people.push((await server.createUser()).email)
      },
      // A user may try 30 addresses an hour.
      otherErrors: ['rate_limited'],
      async call(number) {
        const email = people[number] ?? (await server.createUser()).email
        return server.call(api.cases.setMember, {
          token: user.accessToken,
          params: { id },
          body: { email, role: 'view' },
        })
      },
    }
  },

  async 'cases.addRecordings'(context) {
    const { server, user } = context
    const id = await storeCase(context)
    const recordings: string[] = []
    return {
      // Each reads ten thousand documents.
      calls: 10,
      async prepare(calls) {
        for (let number = 0; number < calls; number += 1) recordings.push(await storeRecording(context))
      },
      ...createDocumentFiller(server, 'case_recordings', { caseId: toObjectId(id) }, () => ({
        recordingId: toObjectId(newId()),
      })),
      async call(number) {
        const recordingId = recordings[number] ?? (await storeRecording(context))
        return server.call(api.cases.addRecordings, {
          token: user.accessToken,
          params: { id },
          body: { selection: { ids: [recordingId] } },
        })
      },
    }
  },

  async 'batches.create'(context) {
    const { server, user } = context
    const selection = { ids: [await storeRecording(context)] }
    return {
      // Batches in preparation are not touched, even though they have nothing to do.
      ...createDocumentFiller(server, 'batches', { ownerId: toObjectId(user.id), finishedAt: null }, () => ({
        state: 'preparing',
      })),
      call: () =>
        server.call(api.batches.create, {
          token: user.accessToken,
          body: { selection, transcribe: { language: 'ps', channel_languages: null } },
        }),
    }
  },

  /** Each call has its own session: a session adds one passkey at a time, and a new passkey ends the other sessions. */
  async 'passkeys.add'({ server, user: { id } }) {
    const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
    const ceremonies: Awaited<ReturnType<typeof begin>>[] = []

    async function begin() {
      const session = { userId: id, isRemembered: false, isBrowser: false, origin }
      const { accessToken: token } = await server.services.sessions.start(session)
      const { options } = (await server.call(api.passkeys.begin, { token })).data
      return { token, response: createPasskey(options, { origin: server.config.publicUrl }).response }
    }

    return {
      ...createDocumentFiller(server, 'passkeys', { userId: toObjectId(id) }, () => ({ credentialId: newId() })),
      room: 1,
      otherErrors: ['session_expired'],
      async prepare(calls) {
        for (let number = 0; number < calls; number += 1) ceremonies.push(await begin())
      },
      async call(number) {
        const { token, response } = ceremonies[number] ?? (await begin())
        return server.call(api.passkeys.add, { token, body: { name: `Key ${number}`, response } })
      },
    }
  },

  async 'signInAdmin.createProvider'({ server }) {
    const { accessToken: token } = await server.createSignedIn({ role: 'super_admin' })
    return {
      ...createDocumentFiller(server, 'sign_in_providers', {}, (number) => ({ nameKey: `old ${number}` })),
      call: (number) =>
        server.call(api.signInAdmin.createProvider, {
          token,
          body: {
            kind: 'oidc',
            name: `Provider ${number}`,
            issuer: 'https://login.example.org/realms/a',
            client_id: 'awaz',
          },
        }),
    }
  },
}
