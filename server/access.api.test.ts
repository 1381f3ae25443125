import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listEndpoints } from '#contract/api.ts'
import { endpointRows } from '#testing/endpoint-rows.ts'
import { probeEndpoint } from '#testing/probe-endpoint.ts'
import { startTestServer, type TestServer, type TestUser } from '#testing/server.ts'

// Every endpoint of the contract for every kind of caller. The expected refusal follows from the kind of caller and the access in the
// table below, which repeats the contract so that the contract is not compared with itself.
const access: Record<string, 'public' | 'user' | 'admin' | 'super_admin'> = {
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
  'profile.get': 'user',
  'profile.update': 'user',
  'profile.getNotifications': 'user',
  'profile.changeNotifications': 'user',
  'profile.changePassword': 'user',
  'profile.confirmPassword': 'user',
  'profile.openLibrary': 'user',
  'profile.stopEmailChange': 'user',
  'profile.enableTwoFactor': 'user',
  'profile.verifyTwoFactor': 'user',
  'profile.disableTwoFactor': 'user',
  'profile.renewBackupCodes': 'user',
  'profile.listSessions': 'user',
  'profile.endSession': 'user',
  'profile.endAllSessions': 'user',
  'passkeys.list': 'user',
  'passkeys.begin': 'user',
  'passkeys.add': 'user',
  'passkeys.rename': 'user',
  'passkeys.remove': 'user',
  'passkeys.beginProof': 'user',
  'passkeys.openLibrary': 'user',
  'passkeys.beginSignIn': 'public',
  'passkeys.signIn': 'public',
  'signInAdmin.getSettings': 'super_admin',
  'signInAdmin.changeSettings': 'super_admin',
  'signInAdmin.listProviders': 'super_admin',
  'signInAdmin.createProvider': 'super_admin',
  'signInAdmin.updateProvider': 'super_admin',
  'signInAdmin.deleteProvider': 'super_admin',
  'signInAdmin.testProvider': 'super_admin',
  'sso.start': 'public',
  'sso.callback': 'public',
  'sso.backChannelLogout': 'public',
  'sso.directorySignIn': 'public',
  'sso.finish': 'public',
  ...endpointRows('invitations', ['list', 'create', 'resend', 'revoke', 'previewImport', 'import'], 'admin'),
  'invitations.check': 'public',
  'invitations.accept': 'public',
  'admin.listUsers': 'admin',
  'admin.getUser': 'admin',
  'admin.updateUser': 'admin',
  'admin.resetTwoFactor': 'admin',
  'admin.setRole': 'admin',
  'admin.setStatus': 'admin',
  'admin.unlockUser': 'admin',
  'admin.revokeSessions': 'admin',
  'admin.deleteUser': 'admin',
  'admin.stats': 'admin',
  'admin.overview': 'admin',
  'admin.usersCsv': 'admin',
  'admin.bulkUsers': 'admin',
  'admin.listSessions': 'admin',
  'admin.endSession': 'admin',
  'admin.audit': 'admin',
  'admin.auditCsv': 'admin',
  'superAdmin.createUser': 'super_admin',
  'superAdmin.listUsers': 'super_admin',
  'superAdmin.deleteUser': 'super_admin',
  'superAdmin.resetPassword': 'super_admin',
  'recovery.openLibrary': 'super_admin',
  'recovery.applyEmailChange': 'super_admin',
  'recovery.stopEmailChange': 'super_admin',
  'superAdmin.setRole': 'super_admin',
  'superAdmin.outbox': 'super_admin',
  'superAdmin.readMail': 'super_admin',
  'superAdmin.sendMail': 'super_admin',
  'superAdmin.testMail': 'super_admin',
  'keywords.list': 'user',
  'keywords.replace': 'user',
  'keywords.add': 'user',
  'keywords.remove': 'user',
  'keywords.clearCategory': 'user',
  ...endpointRows('holds', ['get', 'set', 'lift', 'keptStates', 'keptStatesOfCase', 'setOfCase', 'liftOfCase'], 'user'),
  'holds.list': 'admin',
  'activity.ofRecording': 'user',
  'retention.own': 'user',
  ...endpointRows('retention', ['get', 'dryRun'], 'admin'),
  ...endpointRows('retention', ['setRoleDays', 'setCaseDays'], 'super_admin'),
  'batches.create': 'user',
  'batches.preview': 'user',
  'batches.list': 'user',
  'batches.get': 'user',
  'batches.cancel': 'user',
  'batches.retryFailed': 'user',
  'batches.export': 'user',
  'audio.upload': 'user',
  'uploads.list': 'user',
  'uploads.create': 'user',
  'uploads.get': 'user',
  'uploads.send': 'user',
  'uploads.finish': 'user',
  'uploads.discard': 'user',
  'audio.play': 'user',
  'audio.transcribe': 'user',
  'audio.translate': 'user',
  'audio.translateSpeakers': 'user',
  'audio.diarize': 'user',
  'recordings.list': 'user',
  'recordings.get': 'user',
  'recordings.update': 'user',
  'recordings.correctSpeakers': 'user',
  'recordings.remove': 'user',
  'recordings.export': 'user',
  'recordings.possibleHits': 'user',
  'recordings.stats': 'user',
  'recordings.peaks': 'user',
  'recordings.spectrogram': 'user',
  'recordings.clip': 'user',
  'alerts.list': 'user',
  'alerts.count': 'user',
  'alerts.setState': 'user',
  'alerts.undo': 'user',
  'alerts.listWatchLists': 'user',
  'alerts.addWatchList': 'user',
  'alerts.changeWatchList': 'user',
  'alerts.removeWatchList': 'user',
  'alerts.startScan': 'user',
  'alerts.cancelScan': 'user',
  'alerts.getDigest': 'user',
  'alerts.changeDigest': 'user',
  ...endpointRows('reportTemplates', ['list', 'save', 'change', 'remove'], 'user'),
  'library.list': 'user',
  'library.facets': 'user',
  'library.tag': 'user',
  'library.remove': 'user',
  'library.restore': 'user',
  'library.listTrash': 'user',
  'library.emptyTrash': 'user',
  'library.storage': 'user',
  'library.listFilters': 'user',
  'library.saveFilter': 'user',
  'library.removeFilter': 'user',
  'search.find': 'user',
  'cases.list': 'user',
  'cases.create': 'user',
  'cases.get': 'user',
  'cases.update': 'user',
  'cases.remove': 'user',
  'cases.setMember': 'user',
  'cases.removeMember': 'user',
  'cases.leave': 'user',
  'cases.listRecordings': 'user',
  'cases.progress': 'user',
  'cases.addRecordings': 'user',
  'cases.removeRecording': 'user',
  'cases.people': 'user',
  'cases.ofRecording': 'user',
  'wordLists.own': 'user',
  'wordLists.replaceOwn': 'user',
  'wordLists.ofCase': 'user',
  'wordLists.replaceOfCase': 'user',
  'editing.changeLines': 'user',
  'editing.listVersions': 'user',
  'editing.getVersion': 'user',
  'editing.restoreVersion': 'user',
  'editing.listNotes': 'user',
  'editing.addNote': 'user',
  'editing.changeNote': 'user',
  'editing.removeNote': 'user',
  'editing.listReviewedHits': 'user',
  'editing.reviewHit': 'user',
  'review.getHeard': 'user',
  'review.addHeard': 'user',
  'review.listMarks': 'user',
  'review.markLines': 'user',
  'integrations.listKeys': 'user',
  'integrations.createKey': 'user',
  'integrations.revokeKey': 'user',
  'integrations.listWebhooks': 'user',
  'integrations.createWebhook': 'user',
  'integrations.changeWebhook': 'user',
  'integrations.removeWebhook': 'user',
  'integrations.testWebhook': 'user',
  'integrations.listDeliveries': 'user',
  'integrations.retryDelivery': 'user',
  'jobs.get': 'user',
  'jobs.cancel': 'user',
  'jobs.events': 'user',
  'watchFolder.status': 'admin',
  'watchFolder.bind': 'super_admin',
  'system.config': 'public',
  'system.document': 'public',
  'system.languages': 'public',
  'system.status': 'admin',
  'system.state': 'admin',
  'system.probe': 'public',
  'system.metrics': 'public',
  'system.health': 'public',
  'system.ready': 'public',
  ...endpointRows(
    'upkeep',
    ['checks', 'startChecks', 'backups', 'startRehearsal', 'cancelRun', 'makeSupportArchive'],
    'super_admin',
  ),
  'models.list': 'super_admin',
  'models.operations': 'super_admin',
  'models.start': 'super_admin',
  'models.cancel': 'super_admin',
  'models.imports': 'super_admin',
  'models.removeImport': 'super_admin',
  'models.beginUpload': 'super_admin',
  'models.sendPart': 'super_admin',
  'models.finishUpload': 'super_admin',
  'models.abandonUpload': 'super_admin',
}
/** Endpoints for users who must change the password or whom the gate rejects. */
const openBehindGate = [
  'profile.get',
  'profile.changePassword',
  'profile.confirmPassword',
  'profile.stopEmailChange',
  'profile.enableTwoFactor',
  'profile.verifyTwoFactor',
  'profile.listSessions',
  'profile.endSession',
  'profile.endAllSessions',
  'passkeys.list',
  'passkeys.begin',
  'passkeys.add',
]
/** Public endpoints that read a session or a refresh token when the request has one. */
const readsSession = ['auth.refresh', 'auth.resendVerification']
const callers = ['anonymous', 'expired', 'unverified', 'must change password', 'user', 'admin', 'super_admin'] as const
type Caller = (typeof callers)[number]
const ranks = { user: 0, admin: 1, super_admin: 2 }

let server: TestServer
const users = new Map<Caller, TestUser>()
beforeAll(async () => {
  server = await startTestServer({ config: { gateRequiresVerified: true } })
})
afterAll(() => server.close())

async function tokenOf(caller: Caller): Promise<string | undefined> {
  if (caller === 'anonymous') return undefined
  if (caller === 'expired') return 'eyJhbGciOiJIUzI1NiJ9.e30.x'
  const role = caller === 'admin' || caller === 'super_admin' ? caller : 'user'
  const [isVerified, mustChangePassword] = [caller !== 'unverified', caller === 'must change password']
  const known = users.get(caller) ?? (await server.createUser({ role, isVerified, mustChangePassword }))
  users.set(caller, known)
  // A separate session for each call: some calls end theirs.
  const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' }
  const session = { userId: known.id, isRemembered: false, isBrowser: false, origin }
  return (await server.services.sessions.start(session)).accessToken
}

/** Returns the expected refusal, or undefined when the call must pass every guard. */
function refusalFor(name: string, caller: Caller): { status: number; code: string } | undefined {
  const needed = access[name]
  if (needed === undefined || needed === 'public') return undefined
  if (caller === 'anonymous') return { status: 401, code: 'session_missing' }
  if (caller === 'expired') return { status: 401, code: 'session_expired' }
  const isOpen = openBehindGate.includes(name)
  if (caller === 'unverified' && !isOpen) return { status: 403, code: 'verification_required' }
  if (caller === 'must change password' && !isOpen) return { status: 403, code: 'password_change_required' }
  const rank = caller === 'admin' || caller === 'super_admin' ? ranks[caller] : ranks.user
  return rank < ranks[needed] ? { status: 403, code: 'forbidden' } : undefined
}

const guardCodes = 'session_missing session_expired verification_required password_change_required forbidden'.split(' ')

test('the table names every endpoint', () => {
  const names = listEndpoints().map(({ name }) => name)
  expect(Object.keys(access).toSorted()).toEqual(names.toSorted())
})

describe.each(callers)('%s', (caller) => {
  test.each(listEndpoints())('$name', async ({ name, spec }) => {
    const outcome = await probeEndpoint(server, spec, { token: await tokenOf(caller) })
    const refusal = refusalFor(name, caller)
    const isPastGuards = readsSession.includes(name) || !guardCodes.includes(outcome.code)
    const isHandled = name === 'system.ready' || outcome.status < 500
    expect({ ...(refusal ? outcome : { isPastGuards }), isHandled }).toEqual({
      ...(refusal ?? { isPastGuards: true }),
      isHandled: true,
    })
  })
})
