import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import { UploadResult } from '#contract/entities/recording.ts'
import { roundCount } from '#testing/rounds.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { makeDialogue, upload } from '#testing/uploads.ts'

// Hostile values in every field of every JSON endpoint must never cause a 5xx or reveal another user's data.
const canary = 'canaryq7x2'
/** Placeholder for the id of the victim's recording, which is known only at run time. */
const recordingMark = 'victimrecording'
const runs = Number(process.env.FUZZ_RUNS ?? roundCount(2000))
/** Endpoints that revoke the caller's own tokens, stream endlessly, or have no fields to fuzz. */
const excluded = new Set([
  'profile.endAllSessions',
  'profile.confirmPassword',
  'jobs.events',
  'audio.upload',
  'system.ready',
])
const endpoints = listEndpoints().filter(
  ({ name, spec }) => !excluded.has(name) && (spec.body ?? spec.query ?? spec.params),
)

let server: TestServer
let caller: SignedInUser
let admin: SignedInUser
let victim: SignedInUser
let victimRecordingId: string
beforeAll(async () => {
  server = await startTestServer()
  caller = await server.createSignedIn()
  admin = await server.createSignedIn({ role: 'super_admin' })
  victim = await server.createSignedIn({ email: `${canary}@example.org`, username: `${canary}user` })
  const token = victim.accessToken
  await server.call(api.profile.update, { body: { first_name: canary, last_name: canary }, token })
  await server.call(api.keywords.replace, { body: { threats: [canary], sentiment: [], intent: [], custom: [] }, token })
  await server.call(api.auth.forgotPassword, { body: { email: victim.email } })
  await server.services.mailer.idle()
  const uploaded = await upload(server, token, { name: `${canary}.wav`, content: makeDialogue() })
  victimRecordingId = UploadResult.parse(uploaded.body).file_id
})
afterAll(() => server.close())

function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (!schema) return []
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  const names = [...text.matchAll(/"(\w+)":\{/g)].map(([, name = '']) => name)
  return [
    ...new Set(names.filter((name) => !['properties', 'items', 'additionalProperties', 'def', 'shape'].includes(name))),
  ]
}

const plausible: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.constantFrom(`${canary}@example.org`, 'someone@example.org'),
  password: fc.constantFrom('Harvest-moon7', 'Wrong-moon7'),
  new_password: fc.constant('Other-harvest8!'),
  username: fc.constantFrom(`${canary}user`, 'fuzzed'),
  code: fc.constant('123456'),
  totp_token: fc.constant('123456'),
  user_id: fc.constant('f'.repeat(24)),
  keyword: fc.constantFrom(canary, 'word'),
}
const operators = fc.constantFrom<unknown>(
  { $ne: null },
  { $gt: '' },
  { $regex: '.*' },
  { $where: 'sleep(1000) || true' },
  { $in: [canary, null] },
  { $or: [{}, { a: 1 }] },
  JSON.parse('{"__proto__": {"isAdmin": true}}'),
  { constructor: { prototype: { role: 'super_admin' } } },
  [{ $ne: 1 }],
)
const huge = fc.constantFrom(
  'x'.repeat(70_000),
  '\u0000',
  '𝒳'.repeat(3000),
  '%00%ff',
  '../../etc/passwd',
  ' '.repeat(2000),
)
const deep = fc
  .integer({ min: 1, max: 400 })
  .map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown)
const hostile = fc.oneof(
  operators,
  huge,
  deep,
  fc.jsonValue(),
  fc.array(fc.jsonValue()),
  fc.integer(),
  fc.double(),
  fc.boolean(),
)

function record(names: string[]): fc.Arbitrary<Record<string, unknown>> {
  const fields = names.map((name) => [name, fc.oneof(hostile, plausible[name] ?? fc.string())] as const)
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] })
  const extra = fc.dictionary(
    fc.constantFrom('$where', '__proto__', 'constructor', 'role', 'ownerId', '_id', 'toString'),
    hostile,
  )
  return fc.tuple(known, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, extra)).map(([a, b]) => ({ ...b, ...a }))
}

interface Case {
  name: string
  spec: EndpointSpec
  path: string
  body: string | undefined
}

const requests = fc.constantFrom(...endpoints).chain(({ name, spec }): fc.Arbitrary<Case> => {
  const scalar = fc.oneof(
    fc.constantFrom('f'.repeat(24), recordingMark, '[object Object]', '$ne', '__proto__', '%00', 'null', '-1'),
    fc.string(),
  )
  const queryNames = fieldsOf(spec.query).flatMap((field) => [field, `${field}[$ne]`, `${field}[]`])
  return fc.record({
    name: fc.constant(name),
    spec: fc.constant(spec),
    path: fc
      .tuple(scalar, fc.array(fc.tuple(fc.constantFrom(...queryNames, 'x'), scalar), { maxLength: 4 }))
      .map(
        ([param, query]) =>
          `${spec.path.replaceAll(/:\w+/g, () => encodeURIComponent(param.toWellFormed()) || 'x')}?${new URLSearchParams(query)}`,
      ),
    body: spec.body
      ? fc
          .oneof({ weight: 8, arbitrary: record(fieldsOf(spec.body)) }, hostile)
          .map((value) => JSON.stringify(value) ?? '')
      : fc.constant(undefined),
  })
})

test(
  `hostile input never breaks the server and never shows another user's data (${runs} runs)`,
  { tags: ['rounds'], timeout: 180_000 },
  async () => {
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(requests, async ({ name, spec, path, body }) => {
        const isAdminCall = spec.access === 'admin' || spec.access === 'super_admin'
        const response = await fetch(server.url + path.replaceAll(recordingMark, victimRecordingId), {
          method: spec.method,
          // The single sign-on callback redirects to PUBLIC_URL, where nothing listens.
          redirect: 'manual',
          headers: {
            Authorization: `Bearer ${isAdminCall ? admin.accessToken : caller.accessToken}`,
            'Content-Type': 'application/json',
            Prefer: 'respond-async',
          },
          ...(body !== undefined && { body }),
        })
        const text = await response.text()
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        expect({ name, isServerError: response.status >= 500, text: response.status >= 500 ? text : '' }).toEqual({
          name,
          isServerError: false,
          text: '',
        })
        const isLeak = !isAdminCall && !body?.includes(canary) && !path.includes(canary) && text.includes(canary)
        expect({ name, isLeak }).toEqual({ name, isLeak: false })
      }),
      { numRuns: runs, seed: Number(process.env.FUZZ_SEED ?? 20260721) },
    )
    expect(statuses.get(400)).toBeGreaterThan(runs / 4)
    expect((await server.call(api.profile.get, { token: victim.accessToken })).data.user.first_name).toBe(canary)
    expect((await server.call(api.keywords.list, { token: victim.accessToken })).data.keywords.threats).toHaveLength(1)
    expect((await server.call(api.recordings.list, { token: victim.accessToken })).data.recordings).toHaveLength(1)
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false)
  },
)
