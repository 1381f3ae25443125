import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, listEndpoints } from '#contract/api.ts'
import type { EndpointSpec } from '#contract/endpoint.ts'
import type { ApiKeyScope } from '#contract/entities/api-key.ts'
import { endpointRows } from '#testing/endpoint-rows.ts'
import { probeEndpoint } from '#testing/probe-endpoint.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

// Every endpoint of the contract for every kind of API key. The table repeats which scope an endpoint needs, so that the contract is not
// compared with itself: `never` accepts no key, `public` reads none.
const scopes: Record<string, 'read' | 'write' | 'never' | 'public'> = {
  'auth.signUp': 'public',
  'auth.signIn': 'public',
  'auth.signOut': 'public',
  'auth.refresh': 'public',
  'auth.verifyEmail': 'public',
  'auth.resendVerification': 'public',
  'auth.forgotPassword': 'public',
  'auth.verifyResetCode': 'public',
  'auth.resetPassword': 'public',
  'auth.stopEmailChange': 'public',
  'auth.setUpRegistrationTwoFactor': 'public',
  'auth.verifyRegistrationTwoFactor': 'public',
  'profile.get': 'never',
  'profile.update': 'never',
  'profile.getNotifications': 'never',
  'profile.changeNotifications': 'never',
  'profile.changePassword': 'never',
  'profile.confirmPassword': 'never',
  'profile.openLibrary': 'never',
  'profile.stopEmailChange': 'never',
  'profile.enableTwoFactor': 'never',
  'profile.verifyTwoFactor': 'never',
  'profile.disableTwoFactor': 'never',
  'profile.renewBackupCodes': 'never',
  'profile.listSessions': 'never',
  'profile.endSession': 'never',
  'profile.endAllSessions': 'never',
  'passkeys.list': 'never',
  'passkeys.begin': 'never',
  'passkeys.add': 'never',
  'passkeys.rename': 'never',
  'passkeys.remove': 'never',
  'passkeys.beginProof': 'never',
  'passkeys.openLibrary': 'never',
  'passkeys.beginSignIn': 'public',
  'passkeys.signIn': 'public',
  'signInAdmin.getSettings': 'never',
  'signInAdmin.changeSettings': 'never',
  'signInAdmin.listProviders': 'never',
  'signInAdmin.createProvider': 'never',
  'signInAdmin.updateProvider': 'never',
  'signInAdmin.deleteProvider': 'never',
  'signInAdmin.testProvider': 'never',
  'sso.start': 'public',
  'sso.callback': 'public',
  'sso.backChannelLogout': 'public',
  'sso.directorySignIn': 'public',
  'sso.finish': 'public',
  ...endpointRows('invitations', ['list', 'create', 'resend', 'revoke', 'previewImport', 'import'], 'never'),
  'invitations.check': 'public',
  'invitations.accept': 'public',
  'admin.listUsers': 'never',
  'admin.getUser': 'never',
  'admin.updateUser': 'never',
  'admin.resetTwoFactor': 'never',
  'admin.setRole': 'never',
  'admin.setStatus': 'never',
  'admin.unlockUser': 'never',
  'admin.revokeSessions': 'never',
  'admin.deleteUser': 'never',
  'admin.stats': 'never',
  'admin.overview': 'never',
  'admin.usersCsv': 'never',
  'admin.bulkUsers': 'never',
  'admin.listSessions': 'never',
  'admin.endSession': 'never',
  'admin.audit': 'never',
  'admin.auditCsv': 'never',
  'superAdmin.createUser': 'never',
  'superAdmin.listUsers': 'never',
  'superAdmin.deleteUser': 'never',
  'superAdmin.resetPassword': 'never',
  'recovery.openLibrary': 'never',
  'recovery.applyEmailChange': 'never',
  'recovery.stopEmailChange': 'never',
  'superAdmin.setRole': 'never',
  'superAdmin.outbox': 'never',
  'superAdmin.readMail': 'never',
  'superAdmin.sendMail': 'never',
  'superAdmin.testMail': 'never',
  'keywords.list': 'read',
  'keywords.replace': 'write',
  'keywords.add': 'write',
  'keywords.remove': 'write',
  'keywords.clearCategory': 'write',
  'audio.upload': 'write',
  'uploads.list': 'read',
  'uploads.create': 'write',
  'uploads.get': 'read',
  'uploads.send': 'write',
  'uploads.finish': 'write',
  'uploads.discard': 'write',
  'audio.play': 'read',
  'audio.transcribe': 'write',
  'audio.translate': 'write',
  'audio.translateSpeakers': 'write',
  'audio.diarize': 'write',
  'recordings.list': 'read',
  'recordings.get': 'read',
  'recordings.update': 'write',
  'recordings.correctSpeakers': 'write',
  'recordings.remove': 'write',
  'recordings.export': 'read',
  'recordings.possibleHits': 'read',
  'recordings.stats': 'read',
  'recordings.peaks': 'read',
  'editing.changeLines': 'write',
  'editing.listVersions': 'read',
  'editing.getVersion': 'read',
  'editing.restoreVersion': 'write',
  'editing.listNotes': 'read',
  'editing.addNote': 'write',
  'editing.changeNote': 'write',
  'editing.removeNote': 'write',
  'editing.listReviewedHits': 'read',
  'editing.reviewHit': 'write',
  'review.getHeard': 'read',
  'review.addHeard': 'write',
  'review.listMarks': 'read',
  'review.markLines': 'write',
  'library.list': 'read',
  'library.facets': 'read',
  'library.tag': 'write',
  'library.remove': 'write',
  'library.restore': 'write',
  'library.listTrash': 'read',
  'library.emptyTrash': 'write',
  'library.storage': 'read',
  'library.listFilters': 'read',
  'library.saveFilter': 'write',
  'library.removeFilter': 'write',
  ...endpointRows(
    'holds',
    ['get', 'set', 'lift', 'keptStates', 'keptStatesOfCase', 'setOfCase', 'liftOfCase', 'list'],
    'never',
  ),
  'activity.ofRecording': 'never',
  ...endpointRows('retention', ['get', 'dryRun', 'setRoleDays', 'setCaseDays'], 'never'),
  'batches.create': 'write',
  'batches.preview': 'read',
  'batches.list': 'read',
  'batches.get': 'read',
  'batches.cancel': 'write',
  'batches.retryFailed': 'write',
  'batches.export': 'read',
  'alerts.list': 'read',
  'alerts.count': 'read',
  'alerts.setState': 'write',
  'alerts.undo': 'write',
  'alerts.listWatchLists': 'read',
  'alerts.addWatchList': 'write',
  'alerts.changeWatchList': 'write',
  'alerts.removeWatchList': 'write',
  'alerts.startScan': 'write',
  'alerts.cancelScan': 'write',
  'alerts.getDigest': 'read',
  'alerts.changeDigest': 'write',
  'cases.list': 'read',
  'cases.create': 'write',
  'cases.get': 'read',
  'cases.update': 'write',
  'cases.remove': 'write',
  'cases.setMember': 'write',
  'cases.removeMember': 'write',
  'cases.leave': 'write',
  'cases.listRecordings': 'read',
  'cases.progress': 'read',
  'cases.addRecordings': 'write',
  'cases.removeRecording': 'write',
  'cases.ofRecording': 'read',
  'wordLists.own': 'read',
  'wordLists.replaceOwn': 'write',
  'wordLists.ofCase': 'read',
  'wordLists.replaceOfCase': 'write',
  'search.find': 'read',
  'integrations.listKeys': 'never',
  'integrations.createKey': 'never',
  'integrations.revokeKey': 'never',
  'integrations.listWebhooks': 'never',
  'integrations.createWebhook': 'never',
  'integrations.changeWebhook': 'never',
  'integrations.removeWebhook': 'never',
  'integrations.testWebhook': 'never',
  'integrations.listDeliveries': 'never',
  'integrations.retryDelivery': 'never',
  'jobs.get': 'read',
  'jobs.cancel': 'write',
  'jobs.events': 'read',
  'watchFolder.status': 'never',
  'watchFolder.bind': 'never',
  'system.config': 'public',
  'system.document': 'public',
  'system.languages': 'public',
  ...endpointRows('system', ['status', 'state'], 'never'),
  'system.probe': 'public',
  'system.metrics': 'public',
  'system.health': 'public',
  'system.ready': 'public',
  ...endpointRows(
    'upkeep',
    ['checks', 'startChecks', 'backups', 'startRehearsal', 'cancelRun', 'makeSupportArchive'],
    'never',
  ),
  'models.list': 'never',
  'models.operations': 'never',
  'models.start': 'never',
  'models.cancel': 'never',
  'models.imports': 'never',
  'models.removeImport': 'never',
  'models.beginUpload': 'never',
  'models.sendPart': 'never',
  'models.finishUpload': 'never',
  'models.abandonUpload': 'never',
}

const callers = ['read', 'write', 'expired', 'revoked', 'must change password', 'deactivated'] as const
type Caller = (typeof callers)[number]

let server: TestServer
/** Admins of the highest rank, so that keys are refused where their owners are not. */
const tokens: Partial<Record<Caller, string>> = {}
let strangersRecording: string

beforeAll(async () => {
  server = await startTestServer()
  for (const caller of callers) tokens[caller] = await createToken(caller)
  const stranger = await server.createSignedIn()
  strangersRecording = await uploadDialogue(server, stranger.accessToken)
})
afterAll(() => server.close())

async function createToken(caller: Caller): Promise<string> {
  const owner = await server.createSignedIn({ role: 'super_admin' })
  const { key, token } = await createKey(owner, caller === 'read' ? 'read' : 'write', caller === 'expired' ? -1 : 1)
  if (caller === 'revoked')
    await server.call(api.integrations.revokeKey, { params: { id: key.id }, token: owner.accessToken })
  if (caller === 'must change password') await server.services.users.update(owner.id, { mustChangePassword: true })
  if (caller === 'deactivated') await server.services.users.update(owner.id, { isActive: false })
  return token
}

/** Below the route, which makes no key that has expired. */
async function createKey(owner: SignedInUser, scope: ApiKeyScope, days: number) {
  const newKey = { name: 'test', scope, expiresAt: new Date(server.clock.now() + days * 86_400_000) }
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  return server.services.apiKeys.create(await server.services.users.get(owner.id), newKey, origin)
}

/** Returns the expected refusal, or undefined where the key must be accepted. */
function refusalFor(spec: EndpointSpec, scope: string | undefined, caller: Caller) {
  if (scope === 'public') return undefined
  if (caller === 'expired' || caller === 'revoked' || caller === 'deactivated')
    return { status: 401, code: 'session_expired' }
  if (caller === 'must change password' && !spec.isOpenBehindGate)
    return { status: 403, code: 'password_change_required' }
  return scope === 'never' || (scope === 'write' && caller === 'read') ? { status: 403, code: 'forbidden' } : undefined
}

/** Public endpoints that read a session or a refresh token when the request has one. An API key is neither. */
const readsSession = ['auth.refresh', 'auth.resendVerification']
const refusals = ['session_missing', 'session_expired', 'password_change_required', 'forbidden']

test('the table names every endpoint', () => {
  const names = listEndpoints().map(({ name }) => name)
  expect(Object.keys(scopes).toSorted()).toEqual(names.toSorted())
})

test.each(callers)('each endpoint accepts or refuses a key: %s', async (caller) => {
  const found: Record<string, unknown> = {}
  const expected: Record<string, unknown> = {}
  for (const { name, spec } of listEndpoints()) {
    const outcome = await probeEndpoint(server, spec, { token: tokens[caller] })
    const refusal = refusalFor(spec, scopes[name], caller)
    found[name] = refusal ? outcome : readsSession.includes(name) || !refusals.includes(outcome.code)
    expected[name] = refusal ?? true
  }
  expect(found).toEqual(expected)
})

const isAboutRecordings = (spec: EndpointSpec) => spec.path.startsWith('/api/recordings/:id')
const aboutRecordings = listEndpoints().filter(({ name, spec }) => isAboutRecordings(spec) && scopes[name] === 'read')

test("a key finds nothing of another user's recording", async () => {
  const statuses = await Promise.all(
    aboutRecordings.map(({ spec }) => probeEndpoint(server, spec, { token: tokens.write, id: strangersRecording })),
  )
  expect(statuses.map(({ status }) => status)).toEqual(aboutRecordings.map(() => 404))
})
